//! The differences between two states.

use std::fmt;

use agui_runtime::protocol::JsonPointer;
use serde_json::Value;

/// One difference between two documents.
#[derive(Debug, PartialEq)]
pub struct Difference<'d> {
    pub place: JsonPointer,
    pub before: Option<&'d Value>,
    pub after: Option<&'d Value>,
}

/// The differences, from the outside in: of the members, if both values are objects or lists, and of the whole value
/// otherwise.
pub fn diff<'d>(before: &'d Value, after: &'d Value) -> Vec<Difference<'d>> {
    let mut found = Vec::new();
    compare(JsonPointer::root(), Some(before), Some(after), &mut found);
    found
}

fn compare<'d>(
    place: JsonPointer,
    before: Option<&'d Value>,
    after: Option<&'d Value>,
    found: &mut Vec<Difference<'d>>,
) {
    match (before, after) {
        (Some(before), Some(after)) if before == after => {}
        // JSON has one kind of number: 160 equals 160.0, and the two encodings write it differently.
        (Some(Value::Number(before)), Some(Value::Number(after)))
            if (before.is_f64() || after.is_f64()) && before.as_f64() == after.as_f64() => {}
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            for (key, value) in before {
                compare(place.child(key), Some(value), after.get(key), found);
            }
            for (key, value) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
                compare(place.child(key), None, Some(value), found);
            }
        }
        (Some(Value::Array(before)), Some(Value::Array(after))) => {
            for at in 0..before.len().max(after.len()) {
                compare(place.child(&at.to_string()), before.get(at), after.get(at), found);
            }
        }
        (before, after) => found.push(Difference { place, before, after }),
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.as_str().is_empty() { "the state" } else { self.place.as_str() };
        match (self.before, self.after) {
            (Some(before), Some(after)) => write!(f, "~ {place}: {} → {}", Short(before), Short(after)),
            (None, Some(after)) => write!(f, "+ {place}: {}", Short(after)),
            (Some(before), None) => write!(f, "- {place}: {}", Short(before)),
            (None, None) => Ok(()),
        }
    }
}

/// A value on one line, shortened if it is long.
pub struct Short<'v>(pub &'v Value);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 100;
        let text = self.0.to_string();
        match text.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "{}…", text.get(..end).unwrap_or_default()),
            None => f.write_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_stand_as_far_in_as_they_can() {
        let before = json!({ "a": 1, "n": 160, "b": [1, 2, 3], "c": { "d/e": true }, "same": [1] });
        let after = json!({ "a": "1", "n": 160.0, "b": [1, 5], "c": { "d/e": null, "f": {} }, "same": [1] });
        let found: Vec<_> = diff(&before, &after).iter().map(Difference::to_string).collect();
        let expected =
            ["~ /a: 1 → \"1\"", "~ /b/1: 2 → 5", "- /b/2: 3", "~ /c/d~1e: true → null", "+ /c/f: {}"];
        assert_eq!(found, expected);
        assert_eq!(diff(&json!(1), &json!([]))[0].to_string(), "~ the state: 1 → []");
        assert_eq!(Short(&json!("é".repeat(200))).to_string().chars().count(), 101);
    }
}
