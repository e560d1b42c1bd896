//! Enforcement: drop unknown events, strip unknown material, refuse malformed values (AG-UI 1.0, section "Receiving").
//!
//! | file | does |
//! |---|---|
//! | `strip` | leaves out material that this version does not know |
//! | `check` | finds malformed values in the rest |
//! | `fault` `rejected` | describe malformed values |

mod check;
mod fault;
mod rejected;
mod strip;

use serde::de::DeserializeOwned;
use serde_json::Value;

use self::check::CheckWalk;
use self::strip::{StripVerdict, StripWalk};
use super::{FrameWarning, WarningKind};
use crate::order::OrderStrictness;
use crate::protocol::forms::shape::ShapedType;
use crate::protocol::{Event, EventType, RunAgentInput};

use self::fault::unknown;
pub use fault::{ExpectedShape, FoundKind, FrameFault, MAX_FAULTS};
pub use rejected::{RejectCode, RejectedFrame};

/// The stage that turns JSON into typed events. Material unknown to AG-UI 1.0 is left out with a warning; everything else must be
/// well-formed.
///
/// | found | then |
/// |---|---|
/// | an event with an unknown type | it is dropped |
/// | an unknown key on a closed object | the key is removed |
/// | an unknown member of a union (a role, a kind of part, source, outcome or patch operation) | in a list the element is removed; for an optional key the key; for a required key the object around it |
/// | an unknown member of a closed set of strings | see [`OrderStrictness`] below |
/// | a defined path with a value that is not allowed there | the event is refused |
///
/// | strictness | a closed set of strings | unknown material |
/// |---|---|---|
/// | [`Client`](OrderStrictness::Client) | malformed, as for the official client | left out |
/// | [`Spec`](OrderStrictness::Spec) | unknown like a union member, as in the specification | left out |
/// | [`Producer`](OrderStrictness::Producer) | malformed | refused: a 1.0 producer writes only 1.0 |
///
/// ```
/// use agui_runtime::protocol::{Event, RunFinishedEvent};
/// use agui_runtime::receive::ShapeEnforcer;
/// use serde_json::json;
///
/// let finished = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "paused" } });
/// let mut places = Vec::new();
/// let event = ShapeEnforcer::new().event(finished, &mut |warning| places.push(warning.path().to_owned()))?;
/// assert_eq!(event, Some(RunFinishedEvent::new("t", "r").into()));
/// assert_eq!(places, ["/outcome"]);
/// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ShapeEnforcer {
    strictness: OrderStrictness,
}

impl ShapeEnforcer {
    /// Creates an [`ShapeEnforcer`] stage that behaves like the official client.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the strictness.
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Returns the strictness.
    #[must_use]
    pub fn strictness(&self) -> OrderStrictness {
        self.strictness
    }

    /// Turns JSON into an event; `None` if the event was dropped.
    ///
    /// # Errors
    /// [`RejectedFrame`] if a defined path has a value that is not allowed there.
    pub fn event(
        &self,
        value: Value,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<Event>, RejectedFrame> {
        if !value.is_object() {
            return Err(RejectedFrame::not_an_event("it is not an object"));
        }
        let name = value.get("type").and_then(Value::as_str).unwrap_or_default();
        let Ok(event_type) = name.parse::<EventType>() else {
            return self.unknown(name, warn).map(|()| None);
        };
        self.read(value, Some(event_type), warn)
    }

    /// Turns JSON into an input.
    ///
    /// # Errors
    /// [`RejectedFrame`] if a defined path has a value that is not allowed there.
    ///
    /// ```
    /// use agui_runtime::receive::ShapeEnforcer;
    /// use serde_json::json;
    ///
    /// let body = json!({ "threadId": "t", "runId": "r", "messages": [], "mood": "good" });
    /// let mut places = Vec::new();
    /// let input = ShapeEnforcer::new().input(body, &mut |warning| places.push(warning.path().to_owned()))?;
    /// assert_eq!((input.thread_id.as_str(), places), ("t", vec!["/mood".to_owned()]));
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    pub fn input(
        &self,
        value: Value,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<RunAgentInput, RejectedFrame> {
        let whole = self.read(value, None, warn)?;
        whole.ok_or_else(|| RejectedFrame::not_an_event("nothing of it is known"))
    }

    /// Reports the material of unknown kind that the binary transport left out.
    #[cfg(feature = "proto")]
    pub(super) fn left_out(
        &self,
        event: &Value,
        places: Vec<String>,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<(), RejectedFrame> {
        let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
        if self.strictness == OrderStrictness::Producer && !places.is_empty() {
            let places = places.iter().map(String::as_str);
            return Err(RejectedFrame::unknown(name.parse().ok(), unknown(places, FoundKind::Object)));
        }
        places.into_iter().for_each(|place| warn(FrameWarning::new(name, place, WarningKind::Unknown)));
        Ok(())
    }

    pub(super) fn unknown(
        &self,
        name: &str,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<(), RejectedFrame> {
        if self.strictness == OrderStrictness::Producer {
            return Err(RejectedFrame::unknown(None, unknown(["/type"], FoundKind::Text)));
        }
        warn(FrameWarning::new(name, "", WarningKind::UnknownEvent));
        Ok(())
    }

    fn read<T: ShapedType + DeserializeOwned>(
        &self,
        mut value: Value,
        event: Option<EventType>,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<Option<T>, RejectedFrame> {
        let mut strip = StripWalk::new(self.strictness == OrderStrictness::Spec);
        let verdict = strip.value(&mut value, &T::SHAPE);
        let name = event.map_or("", EventType::as_str);
        let stripped = strip.into_stripped();
        if self.strictness == OrderStrictness::Producer && !stripped.is_empty() {
            let places = stripped.iter().map(String::as_str);
            return Err(RejectedFrame::unknown(event, unknown(places, FoundKind::Missing)));
        }
        for path in stripped {
            warn(FrameWarning::new(name, path, WarningKind::Unknown));
        }
        if verdict == StripVerdict::Drop {
            warn(FrameWarning::new(name, "", WarningKind::Unknown));
            return Ok(None);
        }
        let faults = CheckWalk::faults(&value, &T::SHAPE);
        if !faults.is_empty() {
            return Err(RejectedFrame::malformed(event, faults));
        }
        // Tracked as buffered members are, so that their readers are compiled once.
        serde_path_to_error::deserialize(value)
            .map(Some)
            .map_err(|error| RejectedFrame::unreadable(event, error.inner()))
    }
}

/// Removes material that the shape of `T` does not know; returns the paths.
#[cfg(feature = "client")]
pub(crate) fn leave_out_unknown<T: ShapedType>(value: &mut Value) -> Vec<String> {
    let mut strip = StripWalk::new(false);
    // The value as a whole has no parent to be removed from; the later check reports it as malformed.
    let _ = strip.value(value, &T::SHAPE);
    strip.into_stripped()
}
