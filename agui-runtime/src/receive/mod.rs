//! What a client does with a stream, stage by stage (AG-UI 1.0, section "Model and conventions").
//!
//! Each stage is a small state machine: one thing in, what it becomes out, nothing else. None knows the others, none waits, none looks
//! at a clock, so that the same stream always ends the same way.
//!
//! | stage | takes | gives | refuses |
//! |---|---|---|---|
//! | [`Compat`] | JSON of any version's shape | JSON of 1.0's shape, and what it had to change | nothing |
//! | [`Enforce`] | JSON of 1.0's shape | a typed event without what 1.0 does not know, or none, and what it left out | malformed values |
//! | [`Intake`] | the text of a frame | what these two make of it, faster | what is not JSON, malformed values |
//! | [`Chunks`] | a typed event | the events it stands for | a chunk that begins nothing and goes on with nothing |
//! | [`Verifier`](crate::order::Verifier) | a typed event that is no chunk | the same | what is out of order |
//! | [`Reducer`] | a typed event in order | messages, state, open questions, and what changed of them | nothing |
//! | [`Pipeline`] | frames, or typed events | what all of these make of them | what they refuse |
//!
//! [`compact`](compact::compact) makes recorded streams shorter, and [`differences`] lists where all of this is not what the official
//! client does.

pub mod chunks;
pub mod compact;
pub mod compat;
pub mod differences;
pub mod enforce;
mod intake;
pub mod patch;
pub mod pipeline;
mod place;
pub mod reduce;
pub(crate) mod surrogate;
#[cfg(test)]
mod tests;
mod warning;

pub use chunks::{ChunkError, Chunks};
pub use compat::{Compat, InvalidCeiling, PeerCeiling};
pub use enforce::{Enforce, Expected, Fault, Found, RejectCode, Rejected};
pub use intake::Intake;
#[cfg(feature = "client")]
pub(crate) use intake::parse;
pub use pipeline::{End, Pipeline, ReceiveError};
pub use reduce::{Applied, Change, Reducer};
pub use warning::{Warning, What};
