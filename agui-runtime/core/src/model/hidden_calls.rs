//! Calls that the model alone knows: private calls, and searches for tools, which may name private tools. Records for others than
//! the model, such as spans and the conversation of another agent, leave them out.

use super::private::is_private_id;
use super::prompt::{AssistantPart, PromptMessage, ToolResult};
use super::tool_search::FIND_TOOLS;

/// True unless the part is a hidden call.
pub(super) fn is_shown_part(part: &AssistantPart) -> bool {
    !matches!(part, AssistantPart::Call(call) if is_private_id(&call.id) || call.tool == FIND_TOOLS)
}

/// True unless the result is a hidden call's.
pub(super) fn is_shown_result(result: &ToolResult) -> bool {
    !is_private_id(&result.id) && result.tool != FIND_TOOLS
}

/// Returns a message without hidden calls; `None` if nothing else is in the message.
pub(super) fn without_hidden_calls(message: &PromptMessage) -> Option<PromptMessage> {
    match message {
        PromptMessage::Assistant(parts) => {
            let shown: Vec<_> = parts.iter().filter(|part| is_shown_part(part)).cloned().collect();
            (!shown.is_empty()).then_some(PromptMessage::Assistant(shown))
        }
        PromptMessage::Tools(results) => {
            let shown: Vec<_> = results.iter().filter(|result| is_shown_result(result)).cloned().collect();
            (!shown.is_empty()).then_some(PromptMessage::Tools(shown))
        }
        PromptMessage::System(_) | PromptMessage::User(_) => Some(message.clone()),
    }
}
