//! Each row of the table of `#[tool]` in the design of tools: what its user writes, and what a model and a client get.

mod annotations;
mod arguments;
mod bounds;
mod conditions;
mod default;
mod limits;
mod names;
mod root;
mod streams;
mod typed_emit;
