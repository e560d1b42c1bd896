//! Servers whose threads are stored, for tests that break them: an agent with effects, a log with faults at chosen places,
//! and the judge of the result.
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
pub mod described;
pub mod engine_kills;
pub mod failed_answers;
pub mod file;
pub mod killed;
pub mod ledger;
pub mod listed;
mod nodes;
pub mod pair;
mod point;
pub mod points;
pub mod process;
pub mod races;
pub mod reader_limits;
pub mod scribe;
pub mod seen;
pub mod served;
pub mod webhooks;

pub use crate::gated::{Gate, Gated, Op, Way};
pub use conversation::Conversation;
pub use ledger::Ledger;
pub use scribe::{ENDS, GOES_ON, Host, Scribe};
pub use seen::Seen;
pub use served::Served;
