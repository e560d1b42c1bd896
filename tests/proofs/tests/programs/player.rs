//! The agent that runs a program.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, FunctionCall, NonNull, RunAgentInput, ToolCall as CallInHistory, UserMessage,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::children::{confirm, look_up};
use super::program::{Ending, Op};

pub(crate) type Doc = BTreeMap<String, i64>;
pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The activity of a program.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "PLAN")]
pub(crate) struct Plan {
    pub(crate) at: i64,
}

/// Something happened.
#[derive(CustomEvent, Serialize, JsonSchema)]
pub(crate) struct Happened {}

/// The call of an earlier run that waits for its result.
pub(crate) const OLD_CALL: &str = "old-call";

pub(crate) struct Player {
    pub(crate) ops: Arc<[Op]>,
    pub(crate) ending: Ending,
    /// The number of calls that began, the ending included.
    pub(crate) begun: Arc<AtomicUsize>,
    /// Tasks that others poll.
    pub(crate) strays: Arc<Mutex<Vec<Task>>>,
}

impl Player {
    pub(crate) fn begin(&self, at: usize) {
        self.begun.store(at + 1, Ordering::Relaxed);
    }
}

/// Runs a program.
#[agent(state = Doc, tools = [look_up, confirm], events = [Happened], activities = [Plan])]
impl Player {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        self.play(run, &input).await
    }
}

/// A conversation with a call that was left to a question, and a state.
pub(crate) fn input() -> RunAgentInput {
    let call = CallInHistory::new(OLD_CALL, FunctionCall::new("look_up", r#"{"what":"it"}"#));
    let asking = AssistantMessage::new("old-message").with_tool_calls(vec![call]);
    let mut input =
        RunAgentInput::new("thread", "run", [UserMessage::new("user", "Hi").into(), asking.into()]);
    input.state = NonNull::new(json!({"n": 1}));
    input
}
