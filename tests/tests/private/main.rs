//! Private tools: the model reads what they return, and no client does, over every route.

mod bad_input;
mod desk;
mod example;
mod fuzz;
mod large;
mod protocols;
mod refused;
mod sealed;
mod stored;
