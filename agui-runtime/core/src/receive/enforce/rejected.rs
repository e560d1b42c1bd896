//! The error for a refused frame.

use std::fmt;

use super::fault::{FrameFault, FrameFaults};
use crate::protocol::EventType;

/// A frame that is not an AG-UI 1.0 event: the run fails here (AG-UI 1.0, section "Receiving").
///
/// The consumer reports this error; a `RUN_ERROR` is a producer's report that its run failed.
///
/// ```
/// use agui_runtime::receive::{FrameIntake, RejectCode};
///
/// let start = r#"{"type":"STEP_STARTED","stepName":7,"timestamp":1.5}"#;
/// let error = FrameIntake::new().text(start, &mut |_| {}).unwrap_err();
///
/// assert_eq!((error.code(), error.path(), error.member()), (RejectCode::Malformed, "/stepName", Some("stepName")));
/// assert_eq!(error.faults().len(), 2);
/// assert_eq!(error.to_string(), "STEP_STARTED is malformed: `/stepName`: expected a string, found a number (and 1 more)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedFrame {
    event: Option<EventType>,
    code: RejectCode,
    faults: Box<[FrameFault]>,
    /// The number of faults that are not listed.
    more: usize,
    detail: Box<str>,
}

/// The kinds of refusal. Their texts never change.
///
/// ```
/// use agui_runtime::receive::{FrameIntake, RejectCode};
///
/// let error = FrameIntake::new().text("no JSON", &mut |_| {}).unwrap_err();
/// assert_eq!((error.code(), error.code().as_str()), (RejectCode::NotJson, "S_NOT_JSON"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectCode {
    /// `S_NOT_JSON`: the frame is not JSON, or nested too deeply.
    NotJson,
    /// `S_NOT_PROTO`: the frame is not protobuf, or not an event's message.
    NotProto,
    /// `S_NOT_AN_EVENT`: the frame is not an object with a `type`.
    NotAnEvent,
    /// `S_MALFORMED`: a defined member is missing or has a value that is not allowed.
    Malformed,
    /// `S_UNKNOWN`: material that AG-UI 1.0 does not define. Only
    /// [`OrderStrictness::Producer`](crate::order::OrderStrictness::Producer) refuses it.
    Unknown,
}

impl RejectCode {
    /// Returns the name for programs. `S_MALFORMED` is the official client's name; it has no names for the others.
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

impl RejectedFrame {
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::new(None, RejectCode::NotJson, FrameFaults::default(), error.to_string())
    }

    #[cfg(feature = "proto")]
    pub(crate) fn not_proto(error: &crate::wire::proto::DecodeError) -> Self {
        Self::new(None, RejectCode::NotProto, FrameFaults::default(), error.to_string())
    }

    pub(crate) fn not_an_event(problem: &str) -> Self {
        Self::new(None, RejectCode::NotAnEvent, FrameFaults::default(), problem.to_owned())
    }

    pub(crate) fn malformed(event: Option<EventType>, faults: FrameFaults) -> Self {
        Self::new(event, RejectCode::Malformed, faults, String::new())
    }

    pub(crate) fn unknown(event: Option<EventType>, faults: FrameFaults) -> Self {
        Self::new(event, RejectCode::Unknown, faults, String::new())
    }

    /// A value that passed the checks but that its type refused.
    pub(crate) fn unreadable(event: Option<EventType>, error: &serde_json::Error) -> Self {
        Self::new(event, RejectCode::Malformed, FrameFaults::default(), error.to_string())
    }

    fn new(event: Option<EventType>, code: RejectCode, faults: FrameFaults, detail: String) -> Self {
        let (faults, more) = faults.into_parts();
        Self { event, code, faults: faults.into(), more, detail: detail.into() }
    }

    /// Returns the kind of refusal.
    #[must_use]
    pub fn code(&self) -> RejectCode {
        self.code
    }

    /// Returns the event's type, if the frame has one.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        self.event
    }

    /// Returns the first fault's path, in the notation of [`FrameWarning::path`](crate::receive::FrameWarning::path); empty for the frame as
    /// a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        self.faults.first().map_or("", FrameFault::path)
    }

    /// Returns the first fault's member: the nearest key above the path's last index.
    ///
    /// ```
    /// use agui_runtime::receive::FrameIntake;
    ///
    /// let snapshot = r#"{"type":"MESSAGES_SNAPSHOT","messages":[5]}"#;
    /// let error = FrameIntake::new().text(snapshot, &mut |_| {}).unwrap_err();
    /// assert_eq!((error.path(), error.member()), ("/messages/0", Some("messages")));
    /// ```
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        let is_key = |segment: &&str| !segment.bytes().all(|byte| byte.is_ascii_digit());
        self.path().rsplit('/').find(is_key)
    }

    /// Returns the frame's faults, in member order. At most [`MAX_FAULTS`](super::MAX_FAULTS) are listed, because a frame may
    /// consist of faults.
    #[must_use]
    pub fn faults(&self) -> &[FrameFault] {
        &self.faults
    }

    /// Returns the number of faults that [`faults`](Self::faults) does not list.
    ///
    /// ```
    /// use agui_runtime::receive::{ShapeEnforcer, enforce::MAX_FAULTS};
    /// use serde_json::json;
    ///
    /// let delta: Vec<_> = (0..1_000).map(|_| json!({ "op": "remove" })).collect();
    /// let error = ShapeEnforcer::new().event(json!({ "type": "STATE_DELTA", "delta": delta }), &mut |_| {}).unwrap_err();
    /// assert_eq!((error.faults().len(), error.more()), (MAX_FAULTS, 1_000 - MAX_FAULTS));
    /// assert!(error.to_string().ends_with("(and 999 more)"));
    /// ```
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }
}

impl std::error::Error for RejectedFrame {}

impl fmt::Display for RejectedFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            Some(event) => write!(f, "{event}")?,
            None => f.write_str("the frame")?,
        }
        f.write_str(match self.code {
            RejectCode::NotJson => " is not JSON",
            RejectCode::NotProto => " is not a protobuf message of an event",
            RejectCode::NotAnEvent => " is not an event",
            RejectCode::Malformed => " is malformed",
            RejectCode::Unknown => " contains material that AG-UI 1.0 does not define",
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
