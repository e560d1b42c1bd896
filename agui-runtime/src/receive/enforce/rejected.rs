//! Why a frame is refused.

use std::fmt;

use serde_json::Value;

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
        Self::new(None, RejectCode::NotJson, Vec::new(), error.to_string())
    }

    #[cfg(feature = "proto")]
    pub(crate) fn not_proto(error: &crate::wire::proto::DecodeError) -> Self {
        Self::new(None, RejectCode::NotProto, Vec::new(), error.to_string())
    }

    pub(crate) fn not_an_event(problem: &str) -> Self {
        Self::new(None, RejectCode::NotAnEvent, Vec::new(), problem.to_owned())
    }

    pub(crate) fn malformed(event: Option<EventType>, faults: Vec<Fault>) -> Self {
        Self::new(event, RejectCode::Malformed, faults, String::new())
    }

    pub(crate) fn unknown(event: Option<EventType>, faults: Vec<Fault>) -> Self {
        Self::new(event, RejectCode::Unknown, faults, String::new())
    }

    /// What the checks let pass and a type refused.
    pub(crate) fn unreadable(event: Option<EventType>, error: &serde_json::Error) -> Self {
        Self::new(event, RejectCode::Malformed, Vec::new(), error.to_string())
    }

    fn new(event: Option<EventType>, code: RejectCode, faults: Vec<Fault>, detail: String) -> Self {
        Self { event, code, faults: faults.into(), detail: detail.into() }
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

    /// Everything wrong with the frame, in the order of its members.
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
        match self.faults.len() {
            0 | 1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

/// One thing that is wrong.
///
/// ```
/// use agui_runtime::receive::Enforce;
/// use serde_json::json;
///
/// let error = Enforce::new().event(json!({ "type": "STEP_STARTED", "stepName": 5 }), &mut |_| {}).unwrap_err();
/// assert_eq!((error.faults().len(), error.faults()[0].path()), (1, "/stepName"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    path: Box<str>,
    expected: Expected,
    found: Found,
}

impl Fault {
    pub(crate) fn new(path: &str, expected: Expected, found: Found) -> Self {
        Self { path: path.into(), expected, found }
    }

    /// Where.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What could stand there.
    #[must_use]
    pub fn expected(&self) -> Expected {
        self.expected
    }

    /// What kind of value stands there.
    #[must_use]
    pub fn found(&self) -> Found {
        self.found
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// What could stand in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A string.
    Text,
    /// This string.
    Literal(&'static str),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A JSON Pointer (RFC 6901).
    Pointer,
    /// `true` or `false`.
    Boolean,
    /// A whole number in this range.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// Any value.
    Value,
    /// Any value but `null`.
    NonNull,
    /// An object.
    Object,
    /// A list.
    List,
    /// A list with something in it.
    NonEmptyList,
    /// A string or a list.
    TextOrList,
    /// Something that AG-UI 1.0 knows.
    Known,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("a string"),
            Self::Literal(text) => write!(f, "\"{text}\""),
            Self::OneOf(set) => {
                f.write_str("one of ")?;
                for (index, text) in set.iter().enumerate() {
                    write!(f, "{}\"{text}\"", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Pointer => f.write_str("a JSON Pointer"),
            Self::Boolean => f.write_str("`true` or `false`"),
            Self::Integer { min, max } => write!(f, "an integer between {min} and {max}"),
            Self::Value => f.write_str("a value"),
            Self::NonNull => f.write_str("a value other than `null`"),
            Self::Object => f.write_str("an object"),
            Self::List => f.write_str("a list"),
            Self::NonEmptyList => f.write_str("a list of at least one"),
            Self::TextOrList => f.write_str("a string or a list"),
            Self::Known => f.write_str("what AG-UI 1.0 knows"),
        }
    }
}

/// What stands in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Missing,
    /// `null`
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl From<&Value> for Found {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "nothing",
            Self::Null => "`null`",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        })
    }
}
