//! Equality of documents, as JSON readers see it.

use serde_json::Value;

/// Returns true if two documents are equal as JSON: numbers as numbers, whole ones to the last digit though JavaScript
/// cannot tell them apart beyond 2^53, members in any order.
#[must_use]
pub fn same_json(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same_json(a, b)))
        }
        (a, b) => a == b,
    }
}
