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

pub mod compat;
pub mod enforce;
mod intake;
mod place;
pub(crate) mod surrogate;
mod warning;

pub use compat::{Compat, InvalidCeiling, PeerCeiling};
pub use enforce::{Enforce, Expected, Fault, Found, RejectCode, Rejected};
pub use intake::Intake;
pub use warning::{Warning, What};
