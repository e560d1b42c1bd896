//! The first two stages combined: from a frame's text to a typed event.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    FrameWarning, LegacyTranslator, PeerCeiling, RejectedFrame, ShapeEnforcer, WarningKind, surrogate,
};
use crate::order::OrderStrictness;
use crate::protocol::Event;
use crate::protocol::forms::print::JsonPrint as _;
use crate::protocol::forms::scan::{JsonScanner, KnownIds};
#[cfg(feature = "proto")]
use crate::wire::proto::{self, Decoded};

/// The frame reader: [`LegacyTranslator`], then [`ShapeEnforcer`].
///
/// Create one for each stream. The reader relies on the transport's framing and on nothing else.
///
/// ```
/// use agui_runtime::protocol::{Event, TextMessageContentEvent};
/// use agui_runtime::receive::FrameIntake;
///
/// let mut intake = FrameIntake::new();
/// let frame = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1","delta":"Hi"}"#;
/// let event = intake.text(frame, &mut |warning| panic!("{warning}"))?;
/// assert_eq!(event, Some(TextMessageContentEvent::new("m-1", "Hi").into()));
///
/// // An event of a later version is not an error.
/// assert_eq!(intake.text(r#"{"type":"META"}"#, &mut |_| {})?, None);
/// // A malformed event is.
/// assert!(intake.text(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1"}"#, &mut |_| {}).is_err());
/// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct FrameIntake {
    compat: LegacyTranslator,
    enforce: ShapeEnforcer,
    ids: KnownIds,
}

impl FrameIntake {
    /// Creates an [`FrameIntake`] that behaves like the official client, for an agent that may be current.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the strictness. [`OrderStrictness::Producer`] also refuses every retired shape.
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.enforce = self.enforce.with_strictness(strictness);
        self
    }

    /// Sets the highest version that the agent may have.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.compat = self.compat.with_ceiling(ceiling);
        self
    }

    /// Reads a frame; `None` if the frame contains nothing for this version.
    ///
    /// # Errors
    /// [`RejectedFrame`] if the frame is not JSON, not an object with a `type`, or malformed.
    pub fn text(
        &mut self,
        text: &str,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        // All paths write to one place of the caller, so the large event is not moved.
        let mut read = Ok(None);
        if self.scan_into(text, &mut read).is_some() {
            self.note(&read, warn);
        } else {
            read = self.text_carefully(text, warn);
        }
        read
    }

    #[cold]
    fn text_carefully(
        &mut self,
        text: &str,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        let value = parse(text, warn).map_err(|error| RejectedFrame::not_json(&error))?;
        self.value(value, warn)
    }

    #[inline]
    fn note(&mut self, read: &Result<Option<Event>, RejectedFrame>, warn: &mut dyn FnMut(FrameWarning)) {
        if let Ok(Some(event)) = read {
            self.compat.note(event, warn);
        }
    }

    /// Reads a frame from bytes; bytes that are not UTF-8 become U+FFFD, as in web clients.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn bytes(
        &mut self,
        bytes: &[u8],
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        self.text(&String::from_utf8_lossy(bytes), warn)
    }

    /// Reads an event with the fast reader: the text must be well-formed and entirely of this version.
    #[inline]
    fn scan_into(&mut self, text: &str, place: &mut Result<Option<Event>, RejectedFrame>) -> Option<()> {
        // An event of an old agent may be well-formed and still have to be changed.
        if self.compat.removes_material() {
            return None;
        }
        let mut scanner = JsonScanner::new(text, &mut self.ids);
        Event::scan_into(&mut scanner, place)?;
        scanner.is_at_end().then_some(())
    }

    /// Runs the fast reader alone.
    #[cfg(test)]
    pub(super) fn scan(&mut self, text: &str) -> Option<Event> {
        let mut place = Ok(None);
        self.scan_into(text, &mut place)?;
        place.ok()?
    }

    /// Reads a binary transport message, as returned by [`proto::Decoder`](crate::wire::proto::Decoder).
    ///
    /// # Errors
    /// [`RejectedFrame`] if the bytes are not an event's protobuf message, or malformed.
    #[cfg(feature = "proto")]
    pub fn proto(
        &mut self,
        message: &[u8],
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        let mut read = Ok(None);
        let is_current = !self.compat.removes_material();
        if is_current && proto::take_into(message, &mut self.ids, &mut read).is_some() {
            self.note(&read, warn);
        } else {
            read = self.proto_carefully(message, warn);
        }
        read
    }

    #[cfg(feature = "proto")]
    #[cold]
    fn proto_carefully(
        &mut self,
        message: &[u8],
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        match proto::decode(message) {
            Ok(Decoded::Event { json, lost }) => {
                self.enforce.left_out(&json, lost, warn)?;
                self.value(json, warn)
            }
            Ok(Decoded::Unknown) => self.enforce.unknown("", warn).map(|()| None),
            Err(error) => Err(RejectedFrame::not_proto(&error)),
        }
    }

    /// Takes an event that this program made. The event stays unchanged, unless the agent is known to be too old to have sent it.
    ///
    /// # Errors
    /// [`RejectedFrame`] if the event is malformed, which an event from this crate never is.
    pub fn event(
        &mut self,
        event: Event,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        if !self.compat.removes_material() {
            return Ok(Some(event));
        }
        let mut text = Vec::new();
        event.print(&mut text);
        let value = serde_json::from_slice(&text).map_err(|error| RejectedFrame::not_json(&error))?;
        self.value(value, warn)
    }

    /// Reads a frame that is JSON already.
    ///
    /// # Errors
    /// [`RejectedFrame`] if the frame is not an object with a `type`, or malformed.
    ///
    /// ```
    /// use agui_runtime::receive::FrameIntake;
    /// use serde_json::json;
    ///
    /// let mut left_out = 0;
    /// let news = json!({ "type": "NEWS", "text": "from the future" });
    /// assert_eq!(FrameIntake::new().value(news, &mut |_| left_out += 1)?, None);
    /// assert_eq!(left_out, 1);
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    pub fn value(
        &mut self,
        mut value: Value,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        match value.get("type") {
            Some(Value::String(name)) if !name.is_empty() => {}
            Some(_) => return Err(RejectedFrame::not_an_event("its `type` is not a non-empty string")),
            None => return Err(RejectedFrame::not_an_event("it has no `type`")),
        }
        let reads_retired = self.enforce.strictness() < OrderStrictness::Producer;
        if reads_retired && !self.compat.event(&mut value, warn) {
            return Ok(None);
        }
        let event = self.enforce.event(value, warn)?;
        if let Some(event) = &event {
            self.compat.note(event, warn);
        }
        Ok(event)
    }
}

/// Parses JSON and repairs half characters: a JavaScript producer may cut text between UTF-16 units, which leaves text that Rust
/// cannot hold.
pub(crate) fn parse(text: &str, warn: &mut dyn FnMut(FrameWarning)) -> Result<Value, serde_json::Error> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let Cow::Owned(replaced) = surrogate::replace(text.as_bytes()) else { return Err(error) };
    let Ok(value) = serde_json::from_slice::<Value>(&replaced) else { return Err(error) };
    let event = value.get("type").and_then(Value::as_str).unwrap_or_default();
    warn(FrameWarning::new(event, "", WarningKind::HalfCharacter));
    Ok(value)
}
