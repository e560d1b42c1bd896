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
//!
//! # Where this differs from the official client
//!
//! What is taken, dropped, stripped and refused is the same as with `@ag-ui/client` 1.0.0, place by place, but for this:
//!
//! | the official client 1.0.0 | here | because |
//! |---|---|---|
//! | ids of translated `THINKING_*` events are random | they are made of the run's id and a count | the same stream shall come to the same |
//! | an echoed input without `tools` or `context` gets empty lists | they stay absent; the accessors give empty lists | what was read can be written as it was |
//! | half a character (`"\ud83e"`) is kept | it is read as U+FFFD, with a warning | text is UTF-8 |
//! | JSON may be nested as deep as memory goes | 127 levels, else not JSON | a frame must not exhaust the stack |
//! | a number beyond the largest double is infinite | not JSON | nothing could write it back |
//! | integers beyond 2^53 in open places are rounded | those of 64 bits are kept | they need not be lost |
//! | `__proto__` in a patch operation is lost | it is kept like any member that RFC 6902 does not define | it is data |
//! | `null` in a list of messages is a crash of the client | it is malformed, with its place | the run fails either way |
//! | a fault in a list of parts is reported at the list | it is reported where it is | people look for it |
//! | of `binary` parts the first of a message is announced, and parts that cannot be translated too | each that is translated, with its place; one that repeats another is said to go | the same |
//! | shims for agents of 0.0.57 and older expand chunks before they take subagents out | subagents go first | such an agent names none; the messages are the same |
//! | whatever is malformed in a request is sent nowhere, nulls for nothing are left out | the same by its type: [`RunAgentInput`](crate::protocol::RunAgentInput) cannot hold either | |
//!
//! [`Strictness::Spec`](crate::order::Strictness::Spec) and [`Strictness::Producer`](crate::order::Strictness::Producer) differ on purpose:
//! see [`Enforce`].

pub mod compat;
pub mod enforce;
mod intake;
mod place;
pub(crate) mod surrogate;
#[cfg(test)]
mod tests;
mod warning;

pub use compat::{Compat, InvalidCeiling, PeerCeiling};
pub use enforce::{Enforce, Expected, Fault, Found, RejectCode, Rejected};
pub use intake::Intake;
pub use warning::{Warning, What};
