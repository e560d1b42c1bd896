//! Presence: the protocol's three kinds of "any JSON", distinguished by type.
//!
//! | on the wire | in Rust |
//! |---|---|
//! | required, any value, `null` is a value | [`serde_json::Value`] |
//! | optional, any value but `null` | `Option<`[`NonNull`]`>` |
//! | an open object | [`JsonObject`] |

use std::ops::Deref;

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::lazy::LazyJson;
use crate::protocol::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use crate::protocol::forms::scan::{JsonScan, JsonScanner};
use crate::protocol::forms::shape::{JsonShape, ShapedType};

/// An object whose keys are data: metadata, activity content, an embedded JSON Schema. An alias for [`serde_json::Map`].
pub type JsonObject = serde_json::Map<String, Value>;

/// Returns the object with the given members. `collect` sorts the members before building a sorted map, and the sort would be
/// compiled again for each caller.
pub(crate) fn object(members: impl IntoIterator<Item = (String, Value)>) -> JsonObject {
    let mut object = JsonObject::new();
    object.extend(members);
    object
}

/// Any JSON value except a bare `null`; inner nulls are data.
///
/// The type for every optional, free-form member (`result`, `rawEvent`, `payload`, `parameters`, `forwardedProps`, part metadata,
/// the input's `state`). Such a member can express "no value" only by absence (AG-UI 1.0, section "Nulls").
///
/// ```
/// use agui_runtime::protocol::{NonNull, RunFinishedEvent};
/// use serde_json::{Value, json};
///
/// assert_eq!(NonNull::new(Value::Null), None);
///
/// let mut event = RunFinishedEvent::new("thread", "run");
/// event.result = NonNull::new(json!({ "price": null }));
/// assert_eq!(serde_json::to_value(&event).unwrap()["result"], json!({ "price": null }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonNull(LazyJson<Value>);

/// Error for a bare `null` in place of another JSON value, from [`NonNull`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`null` is not a value here: leave the member out instead")]
pub struct NullValue;

impl NonNull {
    /// Wraps `value` as [`NonNull`]; returns `None` for `null`.
    #[must_use]
    pub fn new(value: Value) -> Option<Self> {
        if value.is_null() { None } else { Some(Self(value.into())) }
    }

    /// Returns the owned value.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0.into_inner()
    }

    /// Returns the value as JSON that may still be text.
    pub(crate) fn lazy(&self) -> &LazyJson<Value> {
        &self.0
    }
}

impl Deref for NonNull {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl TryFrom<Value> for NonNull {
    type Error = NullValue;

    fn try_from(value: Value) -> Result<Self, NullValue> {
        Self::new(value).ok_or(NullValue)
    }
}

impl From<NonNull> for Value {
    fn from(value: NonNull) -> Self {
        value.into_value()
    }
}

macro_rules! never_null {
    ($($From:ty),*) => { $(
        impl From<$From> for NonNull {
            fn from(value: $From) -> Self {
                Self(Value::from(value).into())
            }
        }
    )* };
}

never_null!(bool, i32, i64, u32, u64, &str, String, JsonObject, Vec<Value>);

impl ShapedType for NonNull {
    const SHAPE: JsonShape = JsonShape::NonNull;
}

impl Serialize for NonNull {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NonNull {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl JsonPrint for NonNull {
    fn print(&self, out: &mut Vec<u8>) {
        self.0.print(out);
    }
}

#[cfg(feature = "receive")]
impl JsonScan for NonNull {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        let is_null = scanner.is_null();
        LazyJson::scan(scanner).filter(|_| !is_null).map(Self)
    }
}
