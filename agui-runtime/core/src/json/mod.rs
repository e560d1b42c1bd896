//! Helpers for JSON values; a value's JSON text is the reference form.

pub(crate) mod as_string;
pub(crate) mod limits;
pub mod patch;
pub(crate) mod same_text;

use serde::Serialize;
use serde_json::{Map, Number, Value};

/// Converts a value to the `Value` that a reader gets from the JSON text.
///
/// `serde_json::to_value` would widen an `f32` to a longer decimal than the text has.
pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, serde_json::Error> {
    let mut read = serde_json::from_str(&serde_json::to_string(value)?)?;
    if has_float(&read)
        && let Ok(exact) = serde_json::to_value(value)
    {
        correct(&mut read, &exact);
    }
    Ok(read)
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(elements) => elements.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Restores the last digit of floats, which serde_json may read wrongly. A float within that digit of the written one is the
/// written one: a widened `f32` is never so near to its text.
fn correct(read: &mut Value, exact: &Value) {
    const LAST_DIGIT: u64 = 8;
    match (read, exact) {
        (Value::Number(number), Value::Number(exact)) if number.is_f64() => {
            let bits = |number: &Number| number.as_f64().map(f64::to_bits);
            if let (Some(a), Some(b)) = (bits(number), bits(exact))
                && a.abs_diff(b) <= LAST_DIGIT
            {
                number.clone_from(exact);
            }
        }
        (Value::Array(read), Value::Array(exact)) => {
            read.iter_mut().zip(exact).for_each(|(read, exact)| correct(read, exact));
        }
        (Value::Object(read), Value::Object(exact)) => {
            for (name, read) in read {
                if let Some(exact) = exact.get(name) {
                    correct(read, exact);
                }
            }
        }
        _ => {}
    }
}

/// Returns serde_json's message without line and column, which do not help a user who has not seen the text.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// Removes a member and keeps the other members' order.
#[doc(hidden)]
pub trait RemoveMember {
    /// Returns the removed value.
    fn remove_member(&mut self, name: &str) -> Option<Value>;
}

impl RemoveMember for Map<String, Value> {
    #[cfg(feature = "preserve-order")]
    fn remove_member(&mut self, name: &str) -> Option<Value> {
        self.shift_remove(name)
    }

    /// Another crate may switch on `serde_json/preserve_order`; `remove` would then move the last member.
    #[cfg(not(feature = "preserve-order"))]
    fn remove_member(&mut self, name: &str) -> Option<Value> {
        let removed = self.get_mut(name).map(Value::take)?;
        self.retain(|other, _| other != name);
        Some(removed)
    }
}

/// Returns true if two documents are equal for every reader. JSON has one kind of number, so `1` equals
/// `1.0`: a JavaScript client sends either for the other.
#[doc(hidden)]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Returns true if two texts are JSON of equal values; a text that is not JSON equals nothing.
pub(crate) fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    match (serde_json::from_slice::<Value>(a), serde_json::from_slice::<Value>(b)) {
        (Ok(a), Ok(b)) => same(&a, &b),
        _ => false,
    }
}

/// Different integers are never equal, however large; a float is compared with a float's precision.
fn same_number(a: &Number, b: &Number) -> bool {
    (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_numbers_in_other_notations_are_the_same() {
        assert!(same(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1.0, {"b": 2}]})));
        assert!(same(&json!(0), &json!(-0.0)));
        assert!(!same(&json!(1), &json!(1.5)));
        assert!(!same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(!same(&json!({"a": null}), &json!({})));
    }

    #[test]
    fn floats_are_values_to_their_last_digit() {
        let mut some = 0.1_f64;
        for _ in 0..10_000 {
            some = (some * 1.000_37 + 1e-9) % 1e6;
            assert_eq!(to_value(&[some]).unwrap(), json!([some]));
            let single = some as f32;
            let short: f64 = single.to_string().parse().unwrap();
            assert_eq!(to_value(&single).unwrap(), json!(short));
        }
    }
}
