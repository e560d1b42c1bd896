//! Checks the structure that a schema states: types, constants, required and unknown members, alternatives.
//!
//! For values that serde does not read into a type, because there is no type. `pattern`, `format`, `not`, `if` and the like are
//! not checked.

use serde_json::{Map, Value};

#[cfg(feature = "model")]
use super::bounds::OutOfBounds;
use super::walk::is_type;
#[cfg(feature = "model")]
use super::walk::{Rules, check, count};
use crate::quoted::quoted;

/// Checks a value against a schema's structure and bounds.
#[cfg(feature = "model")]
pub(crate) fn check_whole(schema: &Value, value: &Value) -> Result<(), OutOfBounds> {
    check(Rules::Whole, schema, value, count(value))
}

/// Returns the referenced schema: `reference` is `#` and a JSON Pointer (RFC 6901).
pub(crate) fn referred<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&super::schema::percent_decoded(reference.strip_prefix('#')?)?)
}

/// Returns the difference in type or constant, and the value.
pub(super) fn differs(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let came = || quoted(value).to_string();
    let types: Vec<_> = match schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_type(name, value)) {
        return Some(format!("expected {}, and {} came", types.join(" or "), came()));
    }
    if let Some(constant) = schema.get("const").filter(|constant| *constant != value) {
        return Some(format!("expected {}, and {} came", quoted(constant), came()));
    }
    let values = schema.get("enum").and_then(Value::as_array)?;
    if values.contains(value) {
        return None;
    }
    let names: Vec<_> = values.iter().map(|value| quoted(value).to_string()).collect();
    Some(format!("expected one of {}, and {} came", names.join(", "), came()))
}

#[cfg(all(test, feature = "model"))]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(schema: &Value, value: &Value) -> String {
        check_whole(schema, value)
            .map_or_else(|error| format!("{}: {}", error.path, error.message), |()| "fits".to_owned())
    }

    #[test]
    fn each_keyword_has_a_value_that_fits_and_one_that_does_not() {
        let rows = [
            (json!({ "type": "string" }), json!("a"), json!(7), ".: expected string, and 7 came"),
            (
                json!({ "type": ["string", "null"] }),
                json!(null),
                json!(7),
                ".: expected string or null, and 7 came",
            ),
            (json!({ "type": "integer" }), json!(7.0), json!(7.5), ".: expected integer, and 7.5 came"),
            (json!({ "const": 1 }), json!(1), json!(2), ".: expected 1, and 2 came"),
            (
                json!({ "enum": ["a", "b"] }),
                json!("b"),
                json!("c"),
                r#".: expected one of "a", "b", and "c" came"#,
            ),
            (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({}), ".: the member `a` is missing"),
            (
                json!({ "properties": { "a": { "type": "object", "required": ["b"] } } }),
                json!({ "a": { "b": 1 }, "c": 2 }),
                json!({ "a": {} }),
                "a: the member `b` is missing",
            ),
            (
                json!({ "properties": { "a": {} }, "additionalProperties": false }),
                json!({ "a": 1 }),
                json!({ "a": 1, "z": 1 }),
                ".: there is no member `z`",
            ),
            (
                json!({ "patternProperties": { "^x": {} }, "additionalProperties": false }),
                json!({ "x": 1 }),
                json!({ "x": 1 }),
                "fits",
            ),
            (
                json!({ "additionalProperties": { "type": "string" } }),
                json!({ "a": "1" }),
                json!({ "a": 1 }),
                "a: expected string, and 1 came",
            ),
            (
                json!({ "items": { "type": "string" } }),
                json!(["a"]),
                json!(["a", 1]),
                "[1]: expected string, and 1 came",
            ),
            (
                json!({ "prefixItems": [{ "type": "null" }], "items": false }),
                json!([null]),
                json!([null, 1]),
                "[1]: no value is allowed here",
            ),
            (
                json!({ "allOf": [{ "type": "object" }, { "required": ["a"] }] }),
                json!({ "a": 1 }),
                json!({}),
                ".: the member `a` is missing",
            ),
            (
                json!({ "anyOf": [{ "type": "null" }, { "properties": { "a": { "const": 1 } } }] }),
                json!({ "a": 1 }),
                json!({ "a": 2 }),
                "a: expected 1, and 2 came",
            ),
            (
                json!({ "oneOf": [{ "type": "null" }, { "type": "string" }] }),
                json!("a"),
                json!(1),
                ".: none of 2 alternatives fits: expected null, and 1 came",
            ),
            (
                json!({ "$ref": "#/definitions/a~1b%20c", "definitions": { "a/b c": { "type": "null" } } }),
                json!(null),
                json!(1),
                ".: expected null, and 1 came",
            ),
        ];
        for (schema, fits, differs, message) in rows {
            assert_eq!(said(&schema, &fits), "fits", "{schema}");
            assert_eq!(said(&schema, &differs), message, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        assert_eq!(said(&json!({ "$ref": "#" }), &json!(1)), "fits");
        let twice =
            json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }, { "type": "null" }], "type": "integer" });
        assert_eq!(said(&twice, &json!("a")), ".: expected integer, and \"a\" came");
        let deep = json!({
            "$ref": "#/$defs/a",
            "$defs": { "a": { "anyOf": [{ "$ref": "#/$defs/b" }, { "$ref": "#/$defs/b" }] },
                       "b": { "allOf": [{ "$ref": "#/$defs/a" }, { "type": "null" }] } },
        });
        assert!(said(&deep, &json!(1)).contains("expected") || said(&deep, &json!(1)).contains("too many"));
    }
}
