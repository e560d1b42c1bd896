//! A run's frames as an upstream delivers them.

use std::borrow::Cow;
use std::convert::Infallible;

use futures_util::stream::BoxStream;
use serde_json::Value;

use super::{ClientError, FrameHead};
use crate::protocol::Event;
use crate::protocol::forms::scan::KnownIds;
use crate::receive::{FrameIntake, FrameWarning, ReceivePipeline, RejectedFrame, parse};
use crate::wire::proto::{self, Decoded};

/// The frames of one run, in order. Dropping the stream cancels the source.
///
/// ```
/// use agui_runtime::client::{Frame, Frames};
/// use agui_runtime::protocol::{Event, RunErrorEvent};
/// use futures::{StreamExt, stream};
///
/// let error = Event::from(RunErrorEvent::new("no flour"));
/// let frames: Frames = stream::iter([Ok(Frame::from(error))]).boxed();
/// # assert_eq!(futures::executor::block_on(frames.count()), 1);
/// ```
pub type Frames = BoxStream<'static, Result<Frame, ClientError>>;

/// One received event: unchecked, chunks not expanded, the type possibly unknown to AG-UI 1.0.
///
/// ```
/// use agui_runtime::client::Frame;
/// use agui_runtime::protocol::{Event, StepStartedEvent};
///
/// let typed = Frame::from(Event::from(StepStartedEvent::new("plan")));
/// let text = Frame::from(r#"{"type":"STEP_STARTED","stepName":"plan"}"#.to_owned());
/// assert_eq!(typed.to_text()?, text.to_text()?);
/// assert_eq!(text.head().event_type.as_deref(), Some("STEP_STARTED"));
/// # Ok::<(), agui_runtime::client::UnreadableFrame>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a frame is moved once; a box would cost more")]
pub enum Frame {
    /// The unchecked JSON text of one event.
    Text(String),
    /// An event already parsed as JSON.
    Json(Value),
    /// A message of the binary transport.
    Binary(Vec<u8>),
    /// An event of this program.
    Event(Event),
}

impl Frame {
    /// Returns the event type and the tool call that the frame names, as far as both are readable.
    #[must_use]
    pub fn head(&self) -> FrameHead<'_> {
        match self {
            Self::Text(text) => match serde_json::from_str(text) {
                Ok(head) => head,
                // A frame that is not read in one pass may still be JSON, with a duplicate key or a number
                // in place of a text.
                Err(_) => serde_json::from_str(text)
                    .map_or_else(|_| FrameHead::default(), |value| FrameHead::of(&value).into_owned()),
            },
            Self::Json(value) => FrameHead::of(value),
            Self::Binary(message) => match taken(message) {
                Some(event) => FrameHead::of_event(&event).into_owned(),
                None => self
                    .to_json()
                    .map_or_else(|_| FrameHead::default(), |value| FrameHead::of(&value).into_owned()),
            },
            Self::Event(event) => FrameHead::of_event(event),
        }
    }

    /// Returns the JSON text on one line, as recordings contain events.
    ///
    /// # Errors
    /// [`UnreadableFrame`] if the frame has no JSON form. A text frame is not checked.
    pub fn to_text(&self) -> Result<Cow<'_, str>, UnreadableFrame> {
        Ok(match self {
            Self::Text(text) if !text.contains(['\n', '\r']) => Cow::Borrowed(text),
            // JSON allows any white space between tokens, and no line breaks within them.
            Self::Text(text) => Cow::Owned(text.replace(['\n', '\r'], " ")),
            Self::Json(value) => Cow::Owned(serde_json::to_string(value)?),
            Self::Binary(message) => Cow::Owned(match taken(message) {
                Some(event) => serde_json::to_string(&event)?,
                None => serde_json::to_string(&self.to_json()?)?,
            }),
            Self::Event(event) => Cow::Owned(serde_json::to_string(event)?),
        })
    }

    /// Returns the JSON value. An unpaired surrogate becomes U+FFFD, as when a session reads the frame.
    ///
    /// # Errors
    /// [`UnreadableFrame`] if the frame has no JSON form.
    pub fn to_json(&self) -> Result<Value, UnreadableFrame> {
        Ok(match self {
            Self::Text(text) => parse(text, &mut |_| {})?,
            Self::Json(value) => value.clone(),
            Self::Binary(message) => match proto::decode(message)? {
                Decoded::Event { json, .. } => json,
                Decoded::Unknown => return Err(UnreadableFrame::Unnamed),
            },
            Self::Event(event) => crate::json::to_value(event)?,
        })
    }

    /// Reads the frame's event; `None` if the frame contains nothing for this version.
    pub(super) fn read(
        self,
        intake: &mut FrameIntake,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        match self {
            Self::Text(text) => intake.text(&text, warn),
            Self::Json(value) => intake.value(value, warn),
            Self::Binary(message) => intake.proto(&message, warn),
            Self::Event(event) => intake.event(event, warn),
        }
    }

    pub(super) fn push_to(self, pipeline: &mut ReceivePipeline, warn: &mut dyn FnMut(FrameWarning)) {
        match self {
            Self::Text(text) => pipeline.push_text(&text, warn),
            Self::Json(value) => pipeline.push_json(value, warn),
            Self::Binary(message) => pipeline.push_proto(&message, warn),
            Self::Event(event) => pipeline.push_event(event, warn),
        }
    }
}

/// Decodes a message directly, if well-formed and entirely within this version: the careful reader gives the same event at a
/// multiple of the cost.
fn taken(message: &[u8]) -> Option<Event> {
    let mut place = Ok::<_, Infallible>(None);
    proto::take_into(message, &mut KnownIds::default(), &mut place)?;
    place.ok().flatten()
}

/// Why a frame has no JSON form.
///
/// ```
/// use agui_runtime::client::{Frame, UnreadableFrame};
///
/// let error = Frame::from("no JSON".to_owned()).to_json().unwrap_err();
/// assert!(matches!(error, UnreadableFrame::Json(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnreadableFrame {
    /// The frame is not JSON, or an event without a JSON form. This crate's events always have one.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The frame is not a binary event message.
    #[error(transparent)]
    Binary(#[from] proto::DecodeError),
    /// The frame is a message with an event that this version does not know.
    #[error("the message holds an event that AG-UI 1.0 does not define")]
    Unnamed,
}

impl From<Event> for Frame {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}

impl From<Value> for Frame {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<String> for Frame {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_without_checking_the_rest() {
        let rows = [
            (r#"{"type":"A\u0042","toolCallId":"c"}"#, Some("AB"), Some("c")),
            (r#"{"type":"A","type":"B","toolCallId":5}"#, Some("B"), None),
            (r#"{"type":null,"toolCallId":"c"}"#, None, Some("c")),
            ("[1]", None, None),
            ("no JSON", None, None),
        ];
        for (text, event_type, id) in rows {
            let frame = Frame::Text(text.to_owned());
            let head = frame.head();
            assert_eq!(
                (head.event_type.as_deref(), head.tool_call_id.as_deref()),
                (event_type, id),
                "{text}"
            );
        }
    }

    #[test]
    fn the_heads_of_a_message_and_its_text_are_equal() {
        let texts = [
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"price","metadata":{"a/b":[1,null]}}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","delta":"{}"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"","content":"","role":"tool"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":null}]}"#,
        ];
        for text in texts {
            let (event, mut message) = (serde_json::from_str(text).unwrap(), Vec::new());
            proto::encode(&event, &mut message).unwrap();
            let binary = Frame::Binary(message.split_off(4));
            assert_eq!(binary.head(), Frame::Text(text.to_owned()).head(), "{text}");
            let recorded: Event = serde_json::from_str(&binary.to_text().unwrap()).unwrap();
            assert_eq!((&recorded, binary.to_json().unwrap()), (&event, serde_json::from_str(text).unwrap()));
        }
    }

    #[test]
    fn a_text_of_several_lines_is_recorded_on_one_line() {
        let frame = Frame::Text("{\n\"type\":\r\n\"RAW\"}".to_owned());
        assert_eq!(frame.to_text().unwrap(), "{ \"type\":  \"RAW\"}");
        assert_eq!(frame.to_json().unwrap()["type"], "RAW");
    }
}
