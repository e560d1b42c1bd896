//! The JSON text is the reference for a value.

use serde::Serialize;
use serde_json::Value;

/// A value as a reader of its JSON text sees it.
///
/// Not `serde_json::to_value`: that widens an `f32` to a longer decimal, and refuses 128-bit integers that the text can
/// carry.
pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, serde_json::Error> {
    serde_json::from_str(&serde_json::to_string(value)?)
}
