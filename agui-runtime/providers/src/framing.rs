//! Splits response bytes into frames, in any form that servers send: an event stream, one JSON text, JSON lines, or an error
//! between events.

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::model::ModelError;
use agui_runtime_core::wire::sse;
use serde_json::Value;

use super::failure;
use super::frame::ResponseFrame;
use super::unread::UnreadMembers;

/// Frame texts that servers send only to keep the connection alive.
const SIGNS_OF_LIFE: [&str; 9] = [
    "ping",
    "pong",
    "keep-alive",
    "keepalive",
    "keep_alive",
    "heartbeat",
    "processing",
    "openrouter processing",
    "connected",
];

/// A decoded unit: a frame, or the end marker.
pub(super) enum ServerInput {
    Frame(ResponseFrame),
    /// The frame that marks the end.
    Done,
}

/// The undecoded bytes from one response.
pub(super) struct FrameDecoder {
    decoder: sse::Decoder,
    content_type: String,
    /// Lines outside events that are not yet complete JSON.
    lines: String,
    has_frames: bool,
}

impl FrameDecoder {
    pub(super) fn new(content_type: &str) -> Self {
        Self {
            decoder: sse::Decoder::new().keep_foreign_lines(),
            content_type: quoted(content_type).to_string(),
            lines: String::new(),
            has_frames: false,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.decoder.push(bytes);
    }

    /// Appends the complete inputs; all inputs if the response `is_over`.
    pub(super) fn read(
        &mut self,
        is_over: bool,
        unread: &mut UnreadMembers,
        out: &mut Vec<ServerInput>,
    ) -> Result<(), ModelError> {
        let first = out.len();
        let read = self.records(is_over, unread, out);
        self.has_frames |= out.len() > first;
        read?;
        if is_over && !self.lines.trim().is_empty() {
            let lines = std::mem::take(&mut self.lines);
            if self.has_frames {
                unread.note(format!("lines that are no event: {}", quoted(lines.trim())));
                return Ok(());
            }
            let (kind, text) = (self.content_type.as_str(), quoted(lines.trim()));
            let kind = if kind.is_empty() { "no type" } else { kind };
            return Err(ModelError::Malformed(format!("it is no event stream but of `{kind}`: {text}")));
        }
        Ok(())
    }

    fn records(
        &mut self,
        is_over: bool,
        unread: &mut UnreadMembers,
        out: &mut Vec<ServerInput>,
    ) -> Result<(), ModelError> {
        loop {
            let record = match self.decoder.next_record().map_err(endless)? {
                None if is_over => self.decoder.finish_record().map_err(endless)?,
                record => record,
            };
            let record = record
                .map(|record| (record.event.map(std::borrow::Cow::into_owned), record.data.into_owned()));
            for line in self.decoder.take_foreign_lines() {
                self.line(&line, out)?;
            }
            let Some((name, data)) = record else { return Ok(()) };
            event(name.as_deref(), data.trim(), unread, out)?;
        }
    }

    /// Reads a line that is no event field: standalone JSON, part of multi-line JSON, or an `error` field.
    fn line(&mut self, line: &str, out: &mut Vec<ServerInput>) -> Result<(), ModelError> {
        if let Some(reason) = line.strip_prefix("error:") {
            let reason = reason.trim();
            let reason = serde_json::from_str(reason).unwrap_or_else(|_| Value::from(reason));
            return Err(failure::from_error_json(&reason));
        }
        if self.lines.is_empty()
            && let Ok(value) = serde_json::from_str(line)
        {
            return frames(value, out);
        }
        if self.lines.len() + line.len() > sse::MAX_RECORD {
            return Err(ModelError::Malformed("an event does not end".to_owned()));
        }
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        self.lines.push_str(line);
        // JSON over several lines ends where it began: at the left.
        if line.starts_with(['}', ']'])
            && let Ok(value) = serde_json::from_str(&self.lines)
        {
            self.lines.clear();
            return frames(value, out);
        }
        Ok(())
    }
}

/// Reads an event's data.
fn event(
    name: Option<&str>,
    data: &str,
    unread: &mut UnreadMembers,
    out: &mut Vec<ServerInput>,
) -> Result<(), ModelError> {
    // An event without data is not dispatched (HTML standard, section "Event stream interpretation").
    if data.is_empty() {
        return Ok(());
    }
    if data.eq_ignore_ascii_case("[DONE]") {
        out.push(ServerInput::Done);
        return Ok(());
    }
    let value = match serde_json::from_str::<Value>(data) {
        Ok(value) => value,
        Err(_) if name == Some("error") => Value::from(data),
        Err(_) if is_sign_of_life(data) => {
            unread.note(format!("the frame `{}`", quoted(data)));
            return Ok(());
        }
        Err(error) => {
            return Err(ModelError::Malformed(format!("a frame is no JSON: {error}: {}", quoted(data))));
        }
    };
    if name == Some("error") {
        return Err(failure::from_error_json(
            value.get("error").filter(|error| !error.is_null()).unwrap_or(&value),
        ));
    }
    let first = out.len();
    frames(value, out)?;
    let fresh = out.get_mut(first..).unwrap_or_default();
    for input in fresh {
        if let (ServerInput::Frame(frame), Some(name)) = (input, name.filter(|name| *name != "message")) {
            frame.name(name);
        }
    }
    Ok(())
}

/// Appends an object, or each object in a list: some servers send a stream as one JSON text.
fn frames(value: Value, out: &mut Vec<ServerInput>) -> Result<(), ModelError> {
    match value {
        Value::Null => Ok(()),
        Value::Object(members) => {
            out.push(ServerInput::Frame(ResponseFrame::new(Value::Object(members))));
            Ok(())
        }
        Value::Array(items) => items.into_iter().try_for_each(|item| match item {
            Value::Object(members) => {
                out.push(ServerInput::Frame(ResponseFrame::new(Value::Object(members))));
                Ok(())
            }
            other => Err(no_object(&other)),
        }),
        Value::String(text) if text.trim().is_empty() || is_sign_of_life(&text) => Ok(()),
        other => Err(no_object(&other)),
    }
}

fn no_object(value: &Value) -> ModelError {
    ModelError::Malformed(format!("a frame is no JSON object: {}", quoted(value)))
}

fn is_sign_of_life(data: &str) -> bool {
    let data = data.trim_matches(|letter: char| !letter.is_alphanumeric()).to_ascii_lowercase();
    SIGNS_OF_LIFE.contains(&data.as_str())
}

fn endless(_: sse::RecordTooLong) -> ModelError {
    ModelError::Malformed("an event does not end".to_owned())
}
