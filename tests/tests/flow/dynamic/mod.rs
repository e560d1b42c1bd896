//! Forwarded streams of others.

pub(crate) mod generate;
mod passing;
pub(crate) mod program;
pub(crate) mod property;
mod rules;
mod subagents;

use agui_runtime::Policy;
use agui_runtime::protocol::Event;
use serde_json::Value;

use self::program::{Play, Program};
use crate::agent::json;

/// The output for these events, without the run's own first and last event; and the refusals.
fn forwarded(policy: Policy, events: impl IntoIterator<Item = Event>) -> (Vec<Value>, Vec<String>) {
    let program = Program::new(policy).then(events.into_iter().map(Play::Feed));
    let played = program.play();
    let inner = &played.events[1..played.events.len() - 1];
    (inner.iter().map(json).collect(), played.refused.iter().map(ToString::to_string).collect())
}
