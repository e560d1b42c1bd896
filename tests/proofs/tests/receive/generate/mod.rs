//! Random streams.

pub(crate) mod dice;
pub(crate) mod event;
pub(crate) mod stream;

/// An agent that writes a list of events, through our own kernel.
#[path = "../../../../tests/flow/dynamic/program.rs"]
#[allow(dead_code, reason = "the tests it comes from ask more of it")]
mod program;
