//! Messages of a conversation, as an agent that keeps one writes them.

use agui_runtime::protocol::{AssistantMessage, FunctionCall, Message, RunAgentInput, ToolCall, ToolMessage};

/// A call that was made and answered: the assistant's message that carries it, and the tool's. The ids are made of the run's, so
/// that they differ from run to run.
pub fn answered_call(
    input: &RunAgentInput,
    text: Option<&str>,
    tool: &str,
    arguments: &str,
    result: &str,
) -> [Message; 2] {
    let id = |what: &str| format!("{}-{what}", input.run_id);
    let call = ToolCall::new(id("call"), FunctionCall::new(tool, arguments));
    let mut caller = AssistantMessage::new(id("caller")).with_tool_calls([call]);
    caller.content = text.map(str::to_owned);
    [caller.into(), ToolMessage::new(id("result"), result, id("call")).into()]
}
