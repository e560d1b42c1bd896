//! Cassette lines: model requests and replies.

use std::fmt;
use std::time::Duration;

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::delta::ReplyDelta;
use super::error::ModelError;
use super::prompt::{AssistantPart, Prompt, PromptMessage, ToolResult};
use super::tool_choice::ToolChoice;
use crate::hex::hex;
use crate::quoted::quoted_up_to;

/// One request and its reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CassetteLine {
    pub(super) prompt: Vec<String>,
    pub(super) deltas: Vec<ReplyDelta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<RecordedError>,
}

/// Returns a line for each prompt part: part type, digest, and the first characters. Call ids are left out, because they differ
/// between runs.
pub(super) fn parts(prompt: &Prompt) -> Vec<String> {
    let mut parts = Vec::new();
    let instructions = prompt.instructions.iter().map(|text| part("instructions", text, text));
    parts.extend(instructions);
    for context in &prompt.context {
        parts.push(part("context", &json(&(&context.description, &context.value)), &context.description));
    }
    for message in &prompt.messages {
        match message {
            PromptMessage::System(text) => parts.push(part("system", text, text)),
            PromptMessage::User(content) => {
                let text = crate::protocol::Content::Parts(content.clone());
                parts.push(part("user", &json(content), &text.text()));
            }
            PromptMessage::Assistant(turn) => {
                parts.extend(turn.iter().map(|one| match one {
                    AssistantPart::Text { text, encrypted } => part("text", &json(&(text, encrypted)), text),
                    AssistantPart::Reasoning { text, encrypted } => {
                        part("reasoning", &json(&(text, encrypted)), text)
                    }
                    AssistantPart::Call(call) => {
                        let whole = json(&(&call.tool, &call.arguments, &call.encrypted));
                        part("call", &whole, &format!("{} {}", call.tool, call.arguments))
                    }
                }));
            }
            PromptMessage::Tools(answers) => {
                parts.extend(answers.iter().map(|ToolResult { tool, content, failed, .. }| {
                    part("result", &json(&(tool, content, failed)), &format!("{tool} {}", content.text()))
                }));
            }
        }
    }
    parts.extend(prompt.tools.iter().map(|tool| {
        part("tool", &json(&(&tool.name, &tool.description, sorted(&tool.parameters))), &tool.name)
    }));
    if prompt.tool_choice != ToolChoice::Auto {
        let choice = format!("{:?}", prompt.tool_choice);
        parts.push(part("tool_choice", &choice, &choice));
    }
    if let Some(output) = &prompt.output {
        let whole = json(&(&output.name, &output.description, sorted(&output.schema)));
        parts.push(part(OUTPUT_PART, &whole, &output.name));
    }
    parts
}

/// Part type: an output in the provider's own form.
const OUTPUT_PART: &str = "output";

impl CassetteLine {
    /// True if the model gave an output in the provider's own form.
    pub(super) fn has_native_output(&self) -> bool {
        self.prompt.iter().any(|part| part.split(' ').next() == Some(OUTPUT_PART))
    }
}

fn part(kind: &str, whole: &str, begin: &str) -> String {
    let digest = Sha256::hash(whole.as_bytes());
    let mut digest = hex(&digest);
    digest.truncate(12);
    format!("{kind} {digest} {}", quoted_up_to(40, begin))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Sorts members: without the feature `preserve-order`, schemas have another member order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// Describes the first difference between two prompts.
pub(super) fn difference(recorded: &[String], asked: &[String]) -> Option<String> {
    let at = recorded.iter().zip(asked).position(|(recorded, asked)| recorded != asked);
    let at = at.or_else(|| (recorded.len() != asked.len()).then_some(recorded.len().min(asked.len())))?;
    let of = |parts: &[String]| parts.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Some(format!("part {} was `{}` and is `{}`", at + 1, of(recorded), of(asked)))
}

/// A model failure, as stored in a cassette.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RecordedError {
    kind: RecordedErrorKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RecordedErrorKind {
    Unreachable,
    Refused,
    Unauthorized,
    RateLimited,
    QuotaExhausted,
    TooLong,
    Unsupported,
    Failed,
    Silent,
    Overloaded,
    Truncated,
    EmptyReply,
    Malformed,
}

impl RecordedError {
    pub(super) fn from_error(error: &ModelError) -> Self {
        let text = |error: &dyn fmt::Display| error.to_string();
        let (kind, message) = match error {
            ModelError::Unreachable(source) => (RecordedErrorKind::Unreachable, text(source)),
            ModelError::Refused { message, .. } => (RecordedErrorKind::Refused, message.clone()),
            ModelError::Unauthorized(message) => (RecordedErrorKind::Unauthorized, message.clone()),
            ModelError::RateLimited { message, .. } => (RecordedErrorKind::RateLimited, message.clone()),
            ModelError::QuotaExhausted(message) => (RecordedErrorKind::QuotaExhausted, message.clone()),
            ModelError::TooLong(message) => (RecordedErrorKind::TooLong, message.clone()),
            ModelError::Unsupported(message) => (RecordedErrorKind::Unsupported, message.clone()),
            ModelError::Failed(message) => (RecordedErrorKind::Failed, message.clone()),
            ModelError::Silent { .. } => (RecordedErrorKind::Silent, String::new()),
            ModelError::Overloaded { message, .. } => (RecordedErrorKind::Overloaded, message.clone()),
            ModelError::Truncated => (RecordedErrorKind::Truncated, String::new()),
            ModelError::EmptyReply => (RecordedErrorKind::EmptyReply, String::new()),
            ModelError::Malformed(message) => (RecordedErrorKind::Malformed, message.clone()),
            other @ (ModelError::Schema(_)
            | ModelError::OutOfScript { .. }
            | ModelError::OtherPrompt { .. }
            | ModelError::Cassette(_)) => (RecordedErrorKind::Failed, text(other)),
        };
        let status = match error {
            ModelError::Refused { status, .. } => Some(*status),
            _ => None,
        };
        let time = match error {
            ModelError::RateLimited { retry_after, .. } | ModelError::Overloaded { retry_after, .. } => {
                *retry_after
            }
            ModelError::Silent { after } => Some(*after),
            _ => None,
        };
        let milliseconds = time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        Self { kind, message, status, milliseconds }
    }

    pub(super) fn to_error(&self) -> ModelError {
        let message = self.message.clone();
        let time = self.milliseconds.map(Duration::from_millis);
        match self.kind {
            RecordedErrorKind::Unreachable => ModelError::Unreachable(message.into()),
            RecordedErrorKind::Refused => {
                ModelError::Refused { status: self.status.unwrap_or_default(), message }
            }
            RecordedErrorKind::Unauthorized => ModelError::Unauthorized(message),
            RecordedErrorKind::RateLimited => ModelError::RateLimited { message, retry_after: time },
            RecordedErrorKind::QuotaExhausted => ModelError::QuotaExhausted(message),
            RecordedErrorKind::TooLong => ModelError::TooLong(message),
            RecordedErrorKind::Unsupported => ModelError::Unsupported(message),
            RecordedErrorKind::Failed => ModelError::Failed(message),
            RecordedErrorKind::Silent => ModelError::Silent { after: time.unwrap_or_default() },
            RecordedErrorKind::Overloaded => ModelError::Overloaded { message, retry_after: time },
            RecordedErrorKind::Truncated => ModelError::Truncated,
            RecordedErrorKind::EmptyReply => ModelError::EmptyReply,
            RecordedErrorKind::Malformed => ModelError::Malformed(message),
        }
    }
}
