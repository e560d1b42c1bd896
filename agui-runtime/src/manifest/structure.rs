//! The structure that a schema states: types, constants, required and unknown members, alternatives.
//!
//! For values that serde does not read into a type, because there is none. Bounds are left to [`bounds`](super::bounds);
//! `pattern`, `format`, `not`, `if` and the like are not checked.

use std::cell::Cell;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::bounds::{MOST_STEPS, OutOfBounds, count, is_type, list, place};
use crate::quoted::quoted;

/// Checks that a value has the structure of a schema.
pub(crate) fn check_structure(schema: &Value, value: &Value) -> Result<(), OutOfBounds> {
    let steps = count(value).saturating_mul(MOST_STEPS).saturating_add(MOST_STEPS * MOST_STEPS);
    Structure { root: schema, left: Cell::new(steps) }.walk(schema, value, &mut String::new(), 0)
}

/// Returns the schema that a reference names: a JSON Pointer (RFC 6901) behind `#`.
pub(crate) fn referred<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&super::schema::percent_decoded(reference.strip_prefix('#')?)?)
}

struct Structure<'s> {
    root: &'s Value,
    /// The number of steps that the check may still take: alternatives inside of alternatives multiply.
    left: Cell<usize>,
}

impl<'s> Structure<'s> {
    fn walk(
        &self,
        schema: &'s Value,
        value: &Value,
        path: &mut String,
        steps: usize,
    ) -> Result<(), OutOfBounds> {
        let wrong = |message: String| Err(OutOfBounds { path: place(path), message });
        let left = self.left.get();
        if left == 0 {
            return wrong("too many alternatives to check its structure".to_owned());
        }
        self.left.set(left - 1);
        if *schema == false {
            return wrong("no value is allowed here".to_owned());
        }
        let Some(schema) = schema.as_object().filter(|_| steps < MOST_STEPS) else { return Ok(()) };
        if let Some(message) = differs(schema, value) {
            return wrong(message);
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|name| referred(self.root, name));
        for part in target.into_iter().chain(list(schema, "allOf")) {
            self.walk(part, value, path, steps + 1)?;
        }
        for union in ["anyOf", "oneOf"] {
            self.union(list(schema, union), value, path, steps + 1)?;
        }
        match value {
            Value::Object(members) => self.members(schema, members, path),
            Value::Array(items) => self.items(schema, items, path),
            _ => Ok(()),
        }
    }

    /// One alternative must fit. If none does, the error is that of the one that fits furthest into the value.
    fn union(
        &self,
        alternatives: &'s [Value],
        value: &Value,
        path: &mut String,
        steps: usize,
    ) -> Result<(), OutOfBounds> {
        let mut found: Option<OutOfBounds> = None;
        for alternative in alternatives {
            let length = path.len();
            match self.walk(alternative, value, path, steps) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    path.truncate(length);
                    if found.as_ref().is_none_or(|found| depth(&error.path) > depth(&found.path)) {
                        found = Some(error);
                    }
                }
            }
        }
        match found {
            Some(error) if alternatives.len() > 1 && error.path == place(path) => {
                let message = format!("none of {} alternatives fits: {}", alternatives.len(), error.message);
                Err(OutOfBounds { message, ..error })
            }
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn members(
        &self,
        schema: &'s Map<String, Value>,
        members: &Map<String, Value>,
        path: &mut String,
    ) -> Result<(), OutOfBounds> {
        let mut required = list(schema, "required").iter().filter_map(Value::as_str);
        if let Some(missing) = required.find(|name| !members.contains_key(*name)) {
            let message = format!("the member `{}` is missing", quoted(missing));
            return Err(OutOfBounds { path: place(path), message });
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties").filter(|_| !schema.contains_key("patternProperties"));
        for (name, member) in members {
            let own = properties.and_then(|properties| properties.get(name));
            let Some(inner) = own.or(others) else { continue };
            if own.is_none() && *inner == false {
                let message = format!("there is no member `{}`", quoted(name));
                return Err(OutOfBounds { path: place(path), message });
            }
            let length = path.len();
            if length > 0 {
                path.push('.');
            }
            path.push_str(name);
            self.walk(inner, member, path, 0)?;
            path.truncate(length);
        }
        Ok(())
    }

    fn items(
        &self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        path: &mut String,
    ) -> Result<(), OutOfBounds> {
        let first = list(schema, "prefixItems");
        for (at, item) in items.iter().enumerate() {
            let Some(inner) = first.get(at).or_else(|| schema.get("items")) else { continue };
            let length = path.len();
            // Writing to a string does not fail.
            let _ = write!(path, "[{at}]");
            self.walk(inner, item, path, 0)?;
            path.truncate(length);
        }
        Ok(())
    }
}

/// The length of a place; the whole value is no step into it.
fn depth(path: &str) -> usize {
    if path == "." { 0 } else { path.len() }
}

/// Returns the difference in type or constant, and the value.
fn differs(schema: &Map<String, Value>, value: &Value) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(schema: &Value, value: &Value) -> String {
        check_structure(schema, value)
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
