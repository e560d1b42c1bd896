//! A run: its driver, its stream, its handle.
//!
//! | file | content |
//! |---|---|
//! | `driver` `prepared` | one run, from its start to its last event; the part that no agent type changes |
//! | `run` `tasks` | the handle for all writes; parts of a run on other threads |
//! | `stream` `byte_stream` | the stream that owns a run, as events and as bytes |
//! | `recorder` `observed` | recorded events; traces and metrics |
//! | `lone_call` `kept_conversation` | one tool call without a conversation; its subagents' conversations, until the call is resumed |

pub(super) mod byte_stream;
pub(super) mod driver;
#[cfg(feature = "tool-servers")]
mod kept_conversation;
#[cfg(test)]
pub(super) mod linear_cost;
#[cfg(feature = "tool-servers")]
pub(super) mod lone_call;
pub(super) mod observed;
pub(super) mod prepared;
pub(super) mod recorder;
pub(super) mod run;
pub(super) mod stream;
pub(super) mod tasks;
