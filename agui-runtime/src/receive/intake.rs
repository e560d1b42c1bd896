//! The first two stages in one: from the text of a frame to a typed event.

use serde_json::Value;

use super::{Compat, Enforce, PeerCeiling, Rejected, Warning};
use crate::order::Strictness;
use crate::protocol::Event;

/// Reads frames: [`Compat`], then [`Enforce`].
///
/// One for each stream. What it takes for granted is the transport's framing, nothing else.
///
/// ```
/// use agui_runtime::protocol::{Event, TextMessageContentEvent};
/// use agui_runtime::receive::Intake;
///
/// let mut intake = Intake::new();
/// let frame = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1","delta":"Hi"}"#;
/// let event = intake.text(frame, &mut |warning| panic!("{warning}"))?;
/// assert_eq!(event, Some(TextMessageContentEvent::new("m-1", "Hi").into()));
///
/// // An event of a later version is no reason to fail.
/// assert_eq!(intake.text(r#"{"type":"META"}"#, &mut |_| {})?, None);
/// // One that is malformed is.
/// assert!(intake.text(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1"}"#, &mut |_| {}).is_err());
/// # Ok::<(), agui_runtime::receive::Rejected>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Intake {
    compat: Compat,
    enforce: Enforce,
}

impl Intake {
    /// As the official client does it, from an agent that may be current.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As strict as this. [`Strictness::Producer`] also refuses every retired shape.
    #[must_use]
    pub fn with_strictness(mut self, strictness: Strictness) -> Self {
        self.enforce = self.enforce.with_strictness(strictness);
        self
    }

    /// For an agent known to be no newer than this.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.compat = self.compat.with_ceiling(ceiling);
        self
    }

    /// Reads a frame; `None` if there is nothing in it for this version.
    ///
    /// # Errors
    /// [`Rejected`] if it is not JSON, not an object with a `type`, or malformed.
    pub fn text(&mut self, text: &str, warn: &mut dyn FnMut(Warning)) -> Result<Option<Event>, Rejected> {
        let value = serde_json::from_str(text).map_err(|error| Rejected::not_json(&error))?;
        self.value(value, warn)
    }

    /// The same for a frame that is JSON already.
    ///
    /// # Errors
    /// [`Rejected`] if it is not an object with a `type`, or malformed.
    pub fn value(
        &mut self,
        mut value: Value,
        warn: &mut dyn FnMut(Warning),
    ) -> Result<Option<Event>, Rejected> {
        match value.get("type") {
            Some(Value::String(name)) if !name.is_empty() => {}
            Some(_) => return Err(Rejected::not_an_event("its `type` is not a string that says something")),
            None => return Err(Rejected::not_an_event("it has no `type`")),
        }
        let reads_retired = self.enforce.strictness() < Strictness::Producer;
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
