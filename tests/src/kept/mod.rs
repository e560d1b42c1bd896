//! Servers whose threads are kept, for tests that break them: an agent with effects, a log that fails where it is told to,
//! and the judge of what is left.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "test support: what goes wrong here fails the test"
)]

pub mod ask;
pub mod conversation;
pub mod gated;
pub mod scribe;
pub mod seen;

pub use conversation::Conversation;
pub use gated::{Gate, Gated, Op, Way};
pub use scribe::{Host, Ledger, Scribe};
pub use seen::Seen;
