//! Messages of a conversation, as an agent that keeps one writes them.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, FunctionCall, Message, RunAgentInput, ToolCall, ToolMessage};

/// A call with its answer: the assistant's message that carries it, and the tool's. The ids contain the run's, so that
/// they differ between runs.
pub fn answered_call<T: Tool>(
    input: &RunAgentInput,
    text: Option<&str>,
    arguments: &T,
    result: &str,
) -> Result<[Message; 2], serde_json::Error> {
    let id = |what: &str| format!("{}-{what}", input.run_id);
    let call = ToolCall::new(id("call"), FunctionCall::new(T::NAME, serde_json::to_string(arguments)?));
    let mut caller = AssistantMessage::new(id("caller")).with_tool_calls([call]);
    caller.content = text.map(str::to_owned);
    Ok([caller.into(), ToolMessage::new(id("result"), result, id("call")).into()])
}
