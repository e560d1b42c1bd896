//! A run's kernel: one event queue that is always legal, and the wakers around the queue. Independent from agents.
//!
//! ```text
//! guards ─▶ Hub: a lock, the wakers ─▶ Kernel: what is open, and the queue ─▶ Batch ─▶ EventStream
//! ```

mod called;
mod clock;
mod fields;
mod hub;
mod ids;
mod machine;
mod peer;
mod question_id;
mod reader;
mod span;
mod sync;
mod timer;
#[cfg(any(feature = "mcp", feature = "server"))]
mod tokio_timer;
mod writers;

pub use clock::Clock;
pub use fields::EventFields;
pub use ids::Ids;
pub use peer::Peer;
pub use timer::Timer;

pub(crate) use called::{called_author, called_by, handed_over_by};
#[cfg(feature = "model")]
pub(crate) use called::{handoff_of, is_handoff};
pub(crate) use fields::{Fields, field_methods, following};
pub(crate) use hub::{Hub, Turn};
#[cfg(feature = "server")]
pub(crate) use machine::Held;
pub(crate) use machine::{
    CallStart, ForeignAnswer, Kernel, NotResumed, ParentMessage, SubagentEnd, Terminal, TextStart,
};
pub(crate) use question_id::{QuestionId, escape, question_id, unescape};
pub(crate) use reader::Batch;
#[cfg(test)]
pub(crate) use reader::said;
pub(crate) use span::{NOBODY, ROOT, Slot};
#[cfg(any(feature = "mcp", feature = "server"))]
pub(crate) use tokio_timer::TokioTimer;
