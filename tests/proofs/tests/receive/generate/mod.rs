//! Streams that are written by chance.

pub(crate) mod dice;
pub(crate) mod event;
pub(crate) mod stream;

/// An agent that says what a list says, written by our own kernel.
#[path = "../../../../tests/flow/dynamic/program.rs"]
#[allow(dead_code, reason = "the tests it comes from ask more of it")]
mod program;
