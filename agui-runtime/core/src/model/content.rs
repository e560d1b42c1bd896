//! Records prompts and replies as span content, in OpenTelemetry's format: a message list with roles and parts. Private calls are
//! left out.

use serde_json::{Value, json};

use super::hidden_calls::{is_shown_part, is_shown_result};
use super::private::PromptPrivacy;
use super::prompt::{AssistantPart, ModelCall, Prompt, PromptMessage, ToolResult};
use crate::protocol::ContentPart;
use crate::telemetry::{INPUT_MESSAGES, OUTPUT_MESSAGES, Operation, SYSTEM_INSTRUCTIONS};

/// Records a prompt's instructions, and the conversation unless a summary may quote a private result.
pub(super) fn record_prompt(operation: &Operation, prompt: &Prompt) {
    if let Some(instructions) = &prompt.instructions {
        operation.content(SYSTEM_INSTRUCTIONS, || json!([text(instructions)]).to_string());
    }
    if prompt.privacy == PromptPrivacy::Rewritten {
        return;
    }
    operation.content(INPUT_MESSAGES, || Value::from_iter(prompt.messages.iter().map(message)).to_string());
}

/// Records a model's reply: parts, and calls with tool name and arguments.
pub(super) fn record_reply(
    operation: &Operation,
    parts: &[AssistantPart],
    calls: &[(&str, &str)],
    finish_reason: Option<&str>,
) {
    operation.content(OUTPUT_MESSAGES, || {
        let calls = calls.iter().map(
            |(tool, arguments)| json!({ "type": "tool_call", "name": tool, "arguments": json_or_text(arguments) }),
        );
        let parts: Vec<_> = parts.iter().map(part_of_assistant).chain(calls).collect();
        json!([{ "role": "assistant", "parts": parts, "finish_reason": finish_reason.unwrap_or("error") }])
            .to_string()
    });
}

fn message(message: &PromptMessage) -> Value {
    let (role, parts): (_, Vec<_>) = match message {
        PromptMessage::System(said) => ("system", vec![text(said)]),
        PromptMessage::User(parts) => ("user", parts.iter().map(part_of_user).collect()),
        PromptMessage::Assistant(parts) => {
            let shown = parts.iter().filter(|part| is_shown_part(part));
            ("assistant", shown.map(part_of_assistant).collect())
        }
        PromptMessage::Tools(answers) => {
            ("tool", answers.iter().filter(|result| is_shown_result(result)).map(answer).collect())
        }
    };
    json!({ "role": role, "parts": parts })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "content": text })
}

/// Returns a part without file bytes, which would be too large for a trace.
fn part_of_user(part: &ContentPart) -> Value {
    let kind = match part {
        ContentPart::Text(part) => return text(&part.text),
        ContentPart::Image(_) => "image",
        ContentPart::Audio(_) => "audio",
        ContentPart::Video(_) => "video",
        ContentPart::Document(_) => "document",
    };
    json!({ "type": kind })
}

fn part_of_assistant(part: &AssistantPart) -> Value {
    match part {
        AssistantPart::Text { text: said, .. } => text(said),
        AssistantPart::Reasoning { text, .. } => json!({ "type": "reasoning", "content": text }),
        AssistantPart::Call(ModelCall { id, tool, arguments, .. }) => {
            json!({ "type": "tool_call", "id": id, "name": tool, "arguments": json_or_text(arguments) })
        }
    }
}

fn answer(answer: &ToolResult) -> Value {
    let response = json_or_text(&answer.content.text());
    json!({ "type": "tool_call_response", "id": answer.id, "response": response })
}

/// Returns JSON as a value, and other text as a string.
fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
