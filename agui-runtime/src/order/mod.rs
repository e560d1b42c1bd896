//! Whether a stream of events is in order (AG-UI 1.0, chapter "Ordering").
//!
//! A [`Verifier`] reads one event after the other and refuses the first that may not stand where it stands. It knows no event
//! by name, only the [`Effect`](crate::protocol::Effect) of each in the event table:
//!
//! | effect | may come | then |
//! |---|---|---|
//! | start a run | first, or after a run that finished or failed | everything is forgotten but what the stream itself must remember |
//! | finish a run | in a run, with nothing open | only another run, or the failure of this one |
//! | fail a run | anywhere but after a failed run | only another run; what was open is gone |
//! | open | in a run; the same id (of a step: name and owner) is not open, and its owner agrees; a subagent's id is new in the run | it is open |
//! | within | what it names is open, its owner agrees | |
//! | close | what it names is open, its owner agrees | it is closed; it may be opened again, but for a subagent |
//! | create | in a run | it has an owner, a new one unless the event says otherwise |
//! | after, attach | in a run; the owner of what it names agrees | |
//! | answer | in a run | the message it becomes has an owner |
//! | restate | in a run | messages and calls have the owners it says |
//! | chunk, free | in a run | |
//!
//! *Agrees*: an event with a `subagentRunId` names the owner that what it is about has; without one it agrees with every owner.
//! Owners are remembered until the run ends, also of what is closed. Texts, calls, steps, reasoning spans, reasoning messages and
//! subagents are independent: one string may be the id of each.
//!
//! Of a producer more is asked, which no client checks:
//!
//! | effect | a producer must |
//! |---|---|
//! | start a run | say what it speaks; carry the ids asked for; use no run id twice and one thread only |
//! | finish a run | carry the ids it started with; have interrupts with different ids, none of them about a frontend call; name in `pendingToolCallIds`, if at all, this run's unanswered calls in call order |
//! | open | use the id of a message for one kind of message; open again what it was before; not make a call again that was answered; announce a subagent before anything it says |
//! | answer | answer once, a call that was made and whose arguments are complete, and never one of a frontend tool |
//! | after | show an activity before changing it |
//! | restate | have no message and no call open |
//! | chunk | be judged after expansion |
//! | the end of the stream | end its run before |
//!
//! [`Strictness`] says how much is asked: what the official client asks, what the specification asks beyond that, or all that can
//! be asked of a producer. [`OrderRule`] lists the rules of all three, with their codes.
//!
//! Nothing here can be malformed in the sense of AG-UI's schema: events that lack a member, or have `null` where it may not be, are not
//! [`Event`](crate::protocol::Event)s.

mod calls;
mod client;
mod error;
mod house;
mod kinds;
mod open;
mod openers;
mod owner;
mod phase;
mod rename;
mod rule;
mod spec;
mod strictness;
mod table;
mod verifier;

#[cfg(test)]
mod tests;

pub use error::OrderError;
pub use open::OpenSpan;
pub use owner::Owner;
pub use phase::Phase;
pub use rule::OrderRule;
pub use strictness::Strictness;
pub use verifier::Verifier;
