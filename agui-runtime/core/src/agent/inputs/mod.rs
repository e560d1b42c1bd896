//! The input of a run, typed by its agent: messages, state, request values, forwarded properties.

pub(super) mod baseline;
pub(super) mod forwarded;
pub(super) mod input;
pub(super) mod request;
pub(super) mod untyped_input;
