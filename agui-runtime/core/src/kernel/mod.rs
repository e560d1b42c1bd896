//! A run's kernel: one event queue that is always legal, and the wakers around the queue. Independent from agents.
//!
//! ```text
//! guards ─▶ KernelHub: a lock, the wakers ─▶ RunKernel: what is open, and the queue ─▶ EventBatch ─▶ EventStream
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
#[cfg(test)]
mod tests;
mod timer;
#[cfg(any(feature = "server", feature = "tool-servers"))]
mod tokio_timer;
mod writers;

pub use clock::Clock;
pub use fields::EventFields;
pub use ids::Ids;
pub use peer::Peer;
pub use timer::Timer;

#[cfg(feature = "server")]
pub(crate) use called::begins_awaited_text;
pub(crate) use called::{awaited_author, awaited_subagent_id, handoff_subagent_id};
#[cfg(feature = "model")]
pub(crate) use called::{handoff_call, is_handoff};
pub(crate) use fields::{WriteFields, field_methods, following};
pub(crate) use hub::{KernelHub, WriteTurn};
#[cfg(feature = "server")]
pub(crate) use machine::LegacyState;
pub(crate) use machine::{
    CallResumeRefusal, CallStart, ForeignResult, ParentMessage, RunKernel, SubagentEnd, TerminalOutcome,
    TextStart,
};
pub(crate) use question_id::{TypedInterruptId, escape, typed_interrupt_id, unescape};
pub(crate) use reader::EventBatch;
#[cfg(test)]
pub(crate) use reader::sent_events;
pub(crate) use span::{NOBODY, ROOT, SpanSlot};
#[cfg(any(feature = "server", feature = "tool-servers"))]
#[doc(hidden)]
pub use tokio_timer::TokioTimer;
