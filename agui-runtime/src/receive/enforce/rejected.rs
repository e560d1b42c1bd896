//! Why a frame is refused.

use std::fmt;

use super::fault::{Fault, Faults};
use crate::protocol::EventType;

/// A frame that is no event of AG-UI 1.0: the run fails here (AG-UI 1.0, section "Receiving").
///
/// This is the consumer's verdict on a stream, and something else than `RUN_ERROR`, by which a producer says that its run failed.
///
/// ```
/// use agui_runtime::receive::{Intake, RejectCode};
///
/// let start = r#"{"type":"STEP_STARTED","stepName":7,"timestamp":1.5}"#;
/// let error = Intake::new().text(start, &mut |_| {}).unwrap_err();
///
/// assert_eq!((error.code(), error.path(), error.member()), (RejectCode::Malformed, "/stepName", Some("stepName")));
/// assert_eq!(error.faults().len(), 2);
/// assert_eq!(error.to_string(), "STEP_STARTED is malformed: `/stepName`: expected a string, found a number (and 1 more)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    event: Option<EventType>,
    code: RejectCode,
    faults: Box<[Fault]>,
    /// How many there are beyond those.
    more: usize,
    detail: Box<str>,
}

/// The kinds of refusal. Their texts never change.
///
/// ```
/// use agui_runtime::receive::{Intake, RejectCode};
///
/// let error = Intake::new().text("no JSON", &mut |_| {}).unwrap_err();
/// assert_eq!((error.code(), error.code().as_str()), (RejectCode::NotJson, "S_NOT_JSON"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectCode {
    /// `S_NOT_JSON`: the frame is not JSON, or nested too deeply.
    NotJson,
    /// `S_NOT_PROTO`: the frame is not protobuf, or not the message of an event.
    NotProto,
    /// `S_NOT_AN_EVENT`: it is not an object with a `type`.
    NotAnEvent,
    /// `S_MALFORMED`: a described member is missing or has a value it cannot have.
    Malformed,
    /// `S_UNKNOWN`: something that AG-UI 1.0 does not know. Only
    /// [`Strictness::Producer`](crate::order::Strictness::Producer) refuses that.
    Unknown,
}

impl RejectCode {
    /// Its name for programs. `S_MALFORMED` is the official client's; it has none for the others.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "S_NOT_JSON",
            Self::NotProto => "S_NOT_PROTO",
            Self::NotAnEvent => "S_NOT_AN_EVENT",
            Self::Malformed => "S_MALFORMED",
            Self::Unknown => "S_UNKNOWN",
        }
    }
}

impl fmt::Display for RejectCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Rejected {
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::new(None, RejectCode::NotJson, Faults::default(), error.to_string())
    }

    #[cfg(feature = "proto")]
    pub(crate) fn not_proto(error: &crate::wire::proto::DecodeError) -> Self {
        Self::new(None, RejectCode::NotProto, Faults::default(), error.to_string())
    }

    pub(crate) fn not_an_event(problem: &str) -> Self {
        Self::new(None, RejectCode::NotAnEvent, Faults::default(), problem.to_owned())
    }

    pub(crate) fn malformed(event: Option<EventType>, faults: Faults) -> Self {
        Self::new(event, RejectCode::Malformed, faults, String::new())
    }

    pub(crate) fn unknown(event: Option<EventType>, faults: Faults) -> Self {
        Self::new(event, RejectCode::Unknown, faults, String::new())
    }

    /// What the checks let pass and a type refused.
    pub(crate) fn unreadable(event: Option<EventType>, error: &serde_json::Error) -> Self {
        Self::new(event, RejectCode::Malformed, Faults::default(), error.to_string())
    }

    fn new(event: Option<EventType>, code: RejectCode, faults: Faults, detail: String) -> Self {
        let (faults, more) = faults.into_parts();
        Self { event, code, faults: faults.into(), more, detail: detail.into() }
    }

    /// The kind of refusal.
    #[must_use]
    pub fn code(&self) -> RejectCode {
        self.code
    }

    /// The type of the event, where it has one.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        self.event
    }

    /// The place of the first fault, written as in [`Warning::path`](crate::receive::Warning::path); empty for the frame as a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        self.faults.first().map_or("", Fault::path)
    }

    /// The member the first fault is at: the nearest key above it.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        let is_key = |segment: &&str| !segment.bytes().all(|byte| byte.is_ascii_digit());
        self.path().rsplit('/').find(is_key)
    }

    /// What is wrong with the frame, in the order of its members: at most [`MAX_FAULTS`](super::MAX_FAULTS), because a frame can be
    /// nothing else than faults.
    ///
    /// ```
    /// use agui_runtime::receive::{Expected, Found, Intake};
    ///
    /// let error = Intake::new().text(r#"{"type":"RUN_STARTED","threadId":7}"#, &mut |_| {}).unwrap_err();
    /// let faults: Vec<_> = error.faults().iter().map(|fault| (fault.path(), fault.expected(), fault.found())).collect();
    /// assert_eq!(
    ///     faults,
    ///     [("/threadId", Expected::Text, Found::Number), ("/runId", Expected::Text, Found::Missing)]
    /// );
    /// ```
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How many more things are wrong than [`faults`](Self::faults) says.
    ///
    /// ```
    /// use agui_runtime::receive::{Enforce, enforce::MAX_FAULTS};
    /// use serde_json::json;
    ///
    /// let delta: Vec<_> = (0..1_000).map(|_| json!({ "op": "remove" })).collect();
    /// let error = Enforce::new().event(json!({ "type": "STATE_DELTA", "delta": delta }), &mut |_| {}).unwrap_err();
    /// assert_eq!((error.faults().len(), error.more()), (MAX_FAULTS, 1_000 - MAX_FAULTS));
    /// assert!(error.to_string().ends_with("(and 999 more)"));
    /// ```
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }
}

impl std::error::Error for Rejected {}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            Some(event) => write!(f, "{event}")?,
            None => f.write_str("the frame")?,
        }
        f.write_str(match self.code {
            RejectCode::NotJson => " is not JSON",
            RejectCode::NotProto => " is no protobuf message of an event",
            RejectCode::NotAnEvent => " is not an event",
            RejectCode::Malformed => " is malformed",
            RejectCode::Unknown => " is not all AG-UI 1.0",
        })?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if let Some(first) = self.faults.first() {
            write!(f, ": {first}")?;
        }
        match self.faults.len() + self.more {
            0 | 1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}
