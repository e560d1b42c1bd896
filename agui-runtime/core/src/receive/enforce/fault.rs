//! A frame's faults, path by path.

use std::fmt;

use serde_json::Value;

/// One defect.
///
/// ```
/// use agui_runtime::receive::ShapeEnforcer;
/// use serde_json::json;
///
/// let error = ShapeEnforcer::new().event(json!({ "type": "STEP_STARTED", "stepName": 5 }), &mut |_| {}).unwrap_err();
/// assert_eq!((error.faults().len(), error.faults()[0].path()), (1, "/stepName"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameFault {
    path: Box<str>,
    expected: ExpectedShape,
    found: FoundKind,
}

impl FrameFault {
    fn new(path: &str, expected: ExpectedShape, found: FoundKind) -> Self {
        Self { path: path.into(), expected, found }
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the expected value.
    #[must_use]
    pub fn expected(&self) -> ExpectedShape {
        self.expected
    }

    /// Returns the kind of the found value.
    #[must_use]
    pub fn found(&self) -> FoundKind {
        self.found
    }
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// The number of faults that are listed for a frame; further ones are only counted.
pub const MAX_FAULTS: usize = 64;

/// The faults found so far.
#[derive(Debug, Default)]
pub(crate) struct FrameFaults {
    first: Vec<FrameFault>,
    more: usize,
}

impl FrameFaults {
    pub(crate) fn push(&mut self, path: &str, expected: ExpectedShape, found: FoundKind) {
        if self.first.len() < MAX_FAULTS {
            self.first.push(FrameFault::new(path, expected, found));
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn into_parts(self) -> (Vec<FrameFault>, usize) {
        (self.first, self.more)
    }
}

/// Makes faults for paths with material that AG-UI 1.0 does not define.
pub(super) fn unknown<'p>(places: impl IntoIterator<Item = &'p str>, found: FoundKind) -> FrameFaults {
    let mut faults = FrameFaults::default();
    places.into_iter().for_each(|place| faults.push(place, ExpectedShape::Known, found));
    faults
}

/// The value that a path allows.
///
/// ```
/// use agui_runtime::receive::{ShapeEnforcer, ExpectedShape};
/// use serde_json::json;
///
/// let text = json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "robot" });
/// let error = ShapeEnforcer::new().event(text, &mut |_| {}).unwrap_err();
/// let ExpectedShape::OneOf(roles) = error.faults()[0].expected() else { panic!("{error}") };
/// assert!(roles.contains(&"assistant"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpectedShape {
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
    /// A list with at least one element.
    NonEmptyList,
    /// A string or a list.
    TextOrList,
    /// Material that AG-UI 1.0 defines.
    Known,
}

impl fmt::Display for ExpectedShape {
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
            Self::Known => f.write_str("something that AG-UI 1.0 defines"),
        }
    }
}

/// The kind of a found value, from [`FrameFault::found`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundKind {
    /// No value.
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

impl From<&Value> for FoundKind {
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

impl fmt::Display for FoundKind {
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
