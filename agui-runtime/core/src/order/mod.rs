//! Checks that an event stream is in order (AG-UI 1.0, chapter "Ordering").
//!
//! A [`OrderVerifier`] reads one event after the other and refuses the first that is not allowed at its position. The verifier knows no
//! event by name, only each event's [`EventEffect`](crate::protocol::EventEffect) in the event table:
//!
//! | effect | may come | then |
//! |---|---|---|
//! | start a run | first, or after a finished or failed run | everything is forgotten except the stream's own state |
//! | finish a run | in a run, with nothing open | only another run, or this run's failure |
//! | fail a run | anywhere but after a failed run | only another run; open spans are gone |
//! | open | in a run; the same id (for a step: name and owner) is not open, and its owner agrees; a subagent's id is new in the run | the span is open |
//! | within | the named span is open, its owner agrees | |
//! | close | the named span is open, its owner agrees | the span is closed; it may be opened again, except a subagent |
//! | create | in a run | the message has an owner, a new one unless the event says otherwise |
//! | after, attach | in a run; the named message's or call's owner agrees | |
//! | answer | in a run | the message with the result has an owner |
//! | restate | in a run | messages and calls have the owners that the event states |
//! | chunk, free | in a run | |
//!
//! *Agrees*: an event with a `subagentRunId` names the owner of the span that the event is about; an event without one agrees with
//! every owner. Owners are remembered until the run ends, also for closed spans. Texts, calls, steps, reasoning spans, reasoning
//! messages and subagents are independent: one string may be an id in each group.
//!
//! Further rules apply to a producer, which no client checks:
//!
//! | effect | a producer must |
//! |---|---|
//! | start a run | declare its protocol version; carry the requested ids; use no run id twice and one thread only |
//! | finish a run | carry the ids from RUN_STARTED; give interrupts different ids, and raise none about a frontend call; name in `pendingToolCallIds`, if at all, this run's pending calls in call order |
//! | open | use a message id for one message kind; reopen a message or call with the same role, name, tool and carrier; not repeat a call that has a result; announce a subagent before the subagent's first event |
//! | answer | send one result per call, for a known call with complete arguments, and never for a frontend tool |
//! | after | show an activity before changing it |
//! | restate | have no message and no call open |
//! | chunk | be checked after expansion |
//! | the stream's end | end its run before |
//!
//! [`OrderStrictness`] selects the rules: the official client's rules, the specification's rules in addition, or all producer rules.
//! [`OrderRule`] lists the rules of all three levels, with their codes.
//!
//! Events that AG-UI's schema refuses do not reach this module: an event that lacks a member, or has `null` where not allowed, is
//! not an [`Event`](crate::protocol::Event).

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
pub use owner::SpanOwner;
pub use phase::StreamPhase;
pub use rule::OrderRule;
pub use strictness::OrderStrictness;
pub use verifier::OrderVerifier;
