//! Surfaces of A2UI: their messages by the published schemas, their activities, and the actions that come back.

mod actions;
mod schemas;
mod shown;
mod typed;
mod validated;
mod versions;
mod written;
