//! Checks that a stream of events is in order (AG-UI 1.0, chapter "Ordering").
//!
//! A [`Verifier`] reads one event after the other and refuses the first that is not allowed at its place.
//! It knows no event by name, only the [`Effect`](crate::protocol::Effect) of each in the event table:
//!
//! | effect | may come | then |
//! |---|---|---|
//! | start a run | first, or after a run that finished or failed | everything is forgotten except the state of the stream itself |
//! | finish a run | in a run, with nothing open | only another run, or the failure of this one |
//! | fail a run | anywhere but after a failed run | only another run; open spans are gone |
//! | open | in a run; the same id (of a step: name and owner) is not open, and its owner agrees; a subagent's id is new in the run | it is open |
//! | within | the span it names is open, its owner agrees | |
//! | close | the span it names is open, its owner agrees | it is closed; it may be opened again, except a subagent |
//! | create | in a run | it has an owner, a new one unless the event says otherwise |
//! | after, attach | in a run; the owner of the named message or call agrees | |
//! | answer | in a run | the message it becomes has an owner |
//! | restate | in a run | messages and calls have the owners it says |
//! | chunk, free | in a run | |
//!
//! *Agrees*: an event with a `subagentRunId` names the owner of the span that it is about; an event without
//! one agrees with every owner. Owners are remembered until the run ends, also those of closed spans.
//! Texts, calls, steps, reasoning spans, reasoning messages and subagents are independent: one string may
//! be the id of each.
//!
//! Further rules apply to a producer, which no client checks:
//!
//! | effect | a producer must |
//! |---|---|
//! | start a run | declare its protocol version; carry the requested ids; use no run id twice and one thread only |
//! | finish a run | carry the ids it started with; have interrupts with different ids, none of them about a frontend call; name in `pendingToolCallIds`, if at all, this run's unanswered calls in call order |
//! | open | use the id of a message for one kind of message; reopen a message or call with the same role, name, tool and carrier; not make a call again that was answered; announce a subagent before any event of it |
//! | answer | answer once, a call that was made and whose arguments are complete, and never one of a frontend tool |
//! | after | show an activity before changing it |
//! | restate | have no message and no call open |
//! | chunk | be checked after expansion |
//! | the end of the stream | end its run before |
//!
//! [`Strictness`] selects the rules: those of the official client, those of the specification in addition,
//! or all rules for producers. [`OrderRule`] lists the rules of all three, with their codes.
//!
//! Events that are malformed in the sense of AG-UI's schema do not reach this module: an event that lacks a
//! member, or has `null` where it is not allowed, is not an [`Event`](crate::protocol::Event).
//! [`Event`](crate::protocol::Event)s.

mod calls;
mod client;
mod error;
mod kinds;
mod open;
mod openers;
mod owner;
mod phase;
mod producer;
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
