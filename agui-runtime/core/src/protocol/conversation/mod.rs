//! The conversation: messages, their content, the input of a run, interrupts and their resume entries.

pub(super) mod content;
pub(super) mod encrypted;
pub(super) mod input;
pub(super) mod interrupt;
pub(super) mod message;
#[cfg(feature = "receive")]
pub(super) mod open_interrupts;
