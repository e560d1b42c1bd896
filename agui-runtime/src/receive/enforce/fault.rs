//! What is wrong with a frame, place by place.

use std::fmt;

use serde_json::Value;

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
    fn new(path: &str, expected: Expected, found: Found) -> Self {
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

/// How many things of a frame are said to be wrong; more are counted.
pub const MAX_FAULTS: usize = 64;

/// Faults as they are found.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    first: Vec<Fault>,
    more: usize,
}

impl Faults {
    pub(crate) fn push(&mut self, path: &str, expected: Expected, found: Found) {
        if self.first.len() < MAX_FAULTS {
            self.first.push(Fault::new(path, expected, found));
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn into_parts(self) -> (Vec<Fault>, usize) {
        (self.first, self.more)
    }
}

/// All of these places, which hold what AG-UI 1.0 does not know.
pub(super) fn unknown<'p>(places: impl IntoIterator<Item = &'p str>, found: Found) -> Faults {
    let mut faults = Faults::default();
    places.into_iter().for_each(|place| faults.push(place, Expected::Known, found));
    faults
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
