//! Translation of events of AG-UI into records of the dialect.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::loss::{Losses, log};
use super::table::Kind;
use super::{CUSTOM_PREFIX, DialectError};
use crate::protocol::{DialectForm, Event, MessageId, RunFinishedOutcome, TextMessageRole, missing_code};
use crate::receive::FrameWarning;

/// Writes one run in the dialect, as far as the dialect can express it. The rest is left out, with one
/// warning per kind of loss.
///
/// ```
/// use agui_runtime::protocol::RunErrorEvent;
/// use agui_runtime::dialect::snake_case::Writer;
///
/// let mut bytes = Vec::new();
/// Writer::new().encode(&RunErrorEvent::new("no flour").into(), &mut bytes)?;
/// assert_eq!(bytes, b"event: error\ndata: {\"type\":\"error\",\"message\":\"no flour\"}\n\n");
/// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Writer {
    /// The roles of the open texts: only those of the assistant are written.
    texts: HashMap<MessageId, OpenText>,
    losses: Losses,
}

#[derive(Debug, Clone)]
enum OpenText {
    Written { agent: Option<String> },
    LeftOut,
}

/// Tells whether the dialect can express an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sayable {
    Yes,
    No,
}

impl Writer {
    /// Creates a writer for one response.
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::Writer;
    /// use agui_runtime::protocol::{RunFinishedEvent, RunStartedEvent};
    ///
    /// let (mut writer, mut bytes) = (Writer::new(), Vec::new());
    /// writer.encode(&RunStartedEvent::new("thread", "run").into(), &mut bytes)?;
    /// writer.encode(&RunFinishedEvent::new("thread", "run").into(), &mut bytes)?;
    /// assert!(bytes.starts_with(b"event: status\ndata: {\"type\":\"start\""));
    /// assert!(bytes.ends_with(b"event: status\ndata: {\"type\":\"complete\"}\n\n"));
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the record of an event, if it has one, to a buffer, which the caller reuses. Losses are
    /// logged with `tracing`.
    ///
    /// # Errors
    /// [`DialectError::Chunk`] for a chunk.
    ///
    /// ```
    /// use agui_runtime::protocol::TextMessageContentEvent;
    /// use agui_runtime::dialect::snake_case::Writer;
    ///
    /// let (mut writer, mut bytes) = (Writer::new(), Vec::new());
    /// writer.encode(&TextMessageContentEvent::new("m", "Hi").into(), &mut bytes)?;
    /// assert_eq!(bytes, b"event: message\ndata: {\"content\":\"Hi\"}\n\n");
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    pub fn encode(&mut self, event: &Event, out: &mut Vec<u8>) -> Result<(), DialectError> {
        self.encode_with(event, out, &mut log)
    }

    /// Like [`encode`](Self::encode), with a function for warnings about losses.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    ///
    /// ```
    /// use agui_runtime::protocol::StateSnapshotEvent;
    /// use agui_runtime::dialect::snake_case::Writer;
    ///
    /// let (mut writer, mut bytes, mut lost) = (Writer::new(), Vec::new(), Vec::new());
    /// let snapshot = StateSnapshotEvent::new(serde_json::json!({ "n": 1 })).into();
    /// writer.encode_with(&snapshot, &mut bytes, &mut |warning| lost.push(warning.to_string()))?;
    /// assert!(bytes.is_empty());
    /// assert_eq!(lost, ["STATE_SNAPSHOT: it is lost: the dialect cannot express it"]);
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    pub fn encode_with(
        &mut self,
        event: &Event,
        out: &mut Vec<u8>,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<(), DialectError> {
        if self.write(event, out)? == Sayable::No {
            self.losses.say(event.event_type().as_str(), "", warn);
        } else {
            self.losses.say_members(event, warn);
        }
        Ok(())
    }

    fn write(&mut self, event: &Event, out: &mut Vec<u8>) -> Result<Sayable, DialectError> {
        match event.event_type().dialect() {
            DialectForm::Written => self.write_record(event, out),
            DialectForm::Named => named(event, out),
            DialectForm::Lost => Ok(Sayable::No),
            DialectForm::Expanded => Err(DialectError::Chunk(event.event_type())),
        }
    }

    fn write_record(&mut self, event: &Event, out: &mut Vec<u8>) -> Result<Sayable, DialectError> {
        let (kind, payload) = match event {
            Event::RunStarted(started) => {
                (Kind::Status, json!({ "type": "start", "thread_id": started.thread_id }))
            }
            Event::RunFinished(finished) => (Kind::Status, end(finished.outcome.as_ref())),
            Event::RunError(error) => {
                let payload = match &error.code {
                    Some(code) => json!({ "type": "error", "message": error.message, "code": code }),
                    None => json!({ "type": "error", "message": error.message }),
                };
                (Kind::Error, payload)
            }
            Event::TextMessageStart(start) => {
                let said = match start.role {
                    None | Some(TextMessageRole::Assistant) => {
                        OpenText::Written { agent: start.name.clone() }
                    }
                    Some(_) => OpenText::LeftOut,
                };
                let sayable = if matches!(said, OpenText::LeftOut) { Sayable::No } else { Sayable::Yes };
                self.texts.insert(start.message_id.clone(), said);
                return Ok(sayable);
            }
            Event::TextMessageContent(content) => match self.texts.get(&content.message_id) {
                Some(OpenText::Written { agent: Some(agent) }) => {
                    (Kind::Message, json!({ "content": content.delta, "agent": agent }))
                }
                Some(OpenText::LeftOut) => return Ok(Sayable::No),
                Some(OpenText::Written { agent: None }) | None => {
                    (Kind::Message, json!({ "content": content.delta }))
                }
            },
            Event::TextMessageEnd(end) => {
                self.texts.remove(&end.message_id);
                return Ok(Sayable::Yes);
            }
            Event::ToolCallStart(start) => {
                let payload =
                    json!({ "toolCallId": start.tool_call_id, "toolCallName": start.tool_call_name });
                (Kind::ToolCallStart, payload)
            }
            Event::ToolCallArgs(args) => {
                (Kind::ToolCallArgs, json!({ "toolCallId": args.tool_call_id, "delta": args.delta }))
            }
            Event::ToolCallEnd(end) => (Kind::ToolCallEnd, json!({ "toolCallId": end.tool_call_id })),
            Event::ToolCallResult(result) => {
                let content = result.content.text();
                let payload =
                    json!({ "toolCallId": result.tool_call_id, "content": content, "role": "tool" });
                (Kind::ToolResult, payload)
            }
            Event::ReasoningStart(start) => (Kind::ReasoningStart, json!({ "messageId": start.message_id })),
            Event::ReasoningMessageStart(start) => {
                (Kind::ReasoningMessageStart, json!({ "messageId": start.message_id, "role": "assistant" }))
            }
            Event::ReasoningMessageContent(content) => {
                let payload = json!({ "messageId": content.message_id, "delta": content.delta });
                (Kind::ReasoningMessageContent, payload)
            }
            Event::ReasoningMessageEnd(end) => {
                (Kind::ReasoningMessageEnd, json!({ "messageId": end.message_id }))
            }
            Event::ReasoningEnd(end) => (Kind::ReasoningEnd, json!({ "messageId": end.message_id })),
            event => {
                missing_code("dialect", event.event_type());
                return Ok(Sayable::No);
            }
        };
        match payload {
            Value::Object(payload) => record(kind.name(), &payload, out),
            _ => Ok(Sayable::No),
        }
    }
}

/// Writes the record that a custom event names.
fn named(event: &Event, out: &mut Vec<u8>) -> Result<Sayable, DialectError> {
    let Event::Custom(custom) = event else { return Ok(Sayable::No) };
    match (custom.name.strip_prefix(CUSTOM_PREFIX), &custom.value) {
        (Some(name), Value::Object(payload)) if is_a_name(name) => record(name, payload, out),
        _ => Ok(Sayable::No),
    }
}

/// Returns the end of a run. An interrupted or cancelled run must not look like a successful one.
fn end(outcome: Option<&RunFinishedOutcome>) -> Value {
    match outcome {
        None | Some(RunFinishedOutcome::Success(_)) => json!({ "type": "complete" }),
        Some(RunFinishedOutcome::Interrupt(_)) => {
            json!({ "type": "error", "message": "the agent raised an interrupt, which this dialect does not support" })
        }
        Some(RunFinishedOutcome::Cancelled(_)) => {
            json!({ "type": "error", "message": "the run was cancelled" })
        }
    }
}

/// Returns true if `name` may be the value of an `event:` line.
fn is_a_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(' ') && !name.contains(['\n', '\r'])
}

fn record(name: &str, payload: &Map<String, Value>, out: &mut Vec<u8>) -> Result<Sayable, DialectError> {
    let before = out.len();
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\ndata: ");
    serde_json::to_writer(&mut *out, payload).inspect_err(|_| out.truncate(before))?;
    out.extend_from_slice(b"\n\n");
    Ok(Sayable::Yes)
}
