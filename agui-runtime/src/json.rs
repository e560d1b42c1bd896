//! The JSON text is the reference for a value.

use serde::Serialize;
use serde_json::{Map, Number, Value};

/// A value as a reader of its JSON text sees it.
///
/// Not `serde_json::to_value`: that widens an `f32` to a longer decimal than the text has.
pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, serde_json::Error> {
    serde_json::from_str(&serde_json::to_string(value)?)
}

/// What serde_json says, without the line and the column: the text may be one that nobody but this program has seen.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// Removing a member without moving the others.
pub(crate) trait RemoveMember {
    fn remove_member(&mut self, name: &str) -> Option<Value>;
}

impl RemoveMember for Map<String, Value> {
    #[cfg(feature = "preserve-order")]
    fn remove_member(&mut self, name: &str) -> Option<Value> {
        self.shift_remove(name)
    }

    /// Another crate may have members keep their order all the same, where `remove` moves the last one.
    #[cfg(not(feature = "preserve-order"))]
    fn remove_member(&mut self, name: &str) -> Option<Value> {
        let removed = self.get_mut(name).map(Value::take)?;
        self.retain(|other, _| other != name);
        Some(removed)
    }
}

/// Whether two documents are the same to every reader: JSON has one kind of number, so `1` is `1.0`, and a JavaScript
/// client sends the one back for the other.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Whether two texts are the same value; text that is not JSON is the same as nothing.
pub(crate) fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    match (serde_json::from_slice::<Value>(a), serde_json::from_slice::<Value>(b)) {
        (Ok(a), Ok(b)) => same(&a, &b),
        _ => false,
    }
}

/// Two integers that differ are not the same, however large; a float is compared as what a float can tell.
fn same_number(a: &Number, b: &Number) -> bool {
    (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(same(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1.0, {"b": 2}]})));
        assert!(same(&json!(0), &json!(-0.0)));
        assert!(!same(&json!(1), &json!(1.5)));
        assert!(!same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(!same(&json!({"a": null}), &json!({})));
    }
}
