//! Finds the subschemas inside a JSON Schema, and tells the keyword `title` from a property called `title`.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The kind of value that a schema keyword has.
///
/// All code that walks a schema uses [`keyword`], so a property named `title` or `$ref` is never taken for the keyword.
///
/// ```
/// use agui_runtime::manifest::{Keyword, keyword};
///
/// assert_eq!(keyword("properties"), Keyword::SchemaMap);
/// assert_eq!(keyword("minimum"), Keyword::Data);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// One schema: `items`, `not`, …
    Schema,
    /// A list of schemas: `anyOf`, `prefixItems`, …
    SchemaList,
    /// Schemas by name: `properties`, `$defs`, …
    SchemaMap,
    /// No schema: `type`, `minimum`, `description`, …
    Data,
}

/// Returns the kind of value for the keyword `name` in JSON Schema 2020-12, or in an earlier draft; an unknown keyword has data.
///
/// ```
/// use agui_runtime::manifest::{Keyword, keyword};
///
/// assert_eq!(keyword("items"), Keyword::Schema);
/// assert_eq!(keyword("x-unknown"), Keyword::Data);
/// ```
#[must_use]
pub fn keyword(name: &str) -> Keyword {
    match name {
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "propertyNames"
        | "contains"
        | "contentSchema"
        | "not"
        | "if"
        | "then"
        | "else" => Keyword::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Keyword::SchemaList,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs"
        | "definitions" => Keyword::SchemaMap,
        _ => Keyword::Data,
    }
}

/// Returns the type name in a reference such as `#/types/out/Todo`; `None` for any other reference.
///
/// ```
/// assert_eq!(agui_runtime::manifest::definition_name("#/types/in/Page%20of%20T").as_deref(), Some("Page of T"));
/// assert_eq!(agui_runtime::manifest::definition_name("#/$defs/Todo"), None);
/// ```
#[must_use]
pub fn definition_name(reference: &str) -> Option<Cow<'_, str>> {
    reference.strip_prefix("#/types/out/").or_else(|| reference.strip_prefix("#/types/in/")).and_then(decoded)
}

/// Decodes the name at the end of a reference.
pub(super) fn decoded(name: &str) -> Option<Cow<'_, str>> {
    let name = percent_decoded(name)?;
    if !name.contains('~') {
        return Some(name);
    }
    Some(Cow::Owned(name.replace("~1", "/").replace("~0", "~")))
}

/// Returns a reference's fragment without percent encoding.
pub(super) fn percent_decoded(name: &str) -> Option<Cow<'_, str>> {
    if !name.contains('%') {
        return Some(Cow::Borrowed(name));
    }
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [byte, tail @ ..] = rest {
        match (byte, tail) {
            (b'%', [high, low, after @ ..]) => {
                bytes.push(hex(*high)? * 16 + hex(*low)?);
                rest = after;
            }
            _ => {
                bytes.push(*byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    u8::try_from(char::from(digit).to_digit(16)?).ok()
}

/// Calls `visit` with every schema object in `schema`, including `schema`, and the JSON Pointer.
pub(super) fn walk<'a>(schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Map<String, Value>)) {
    walk_at(schema, &mut String::new(), visit);
}

fn walk_at<'a>(schema: &'a Value, path: &mut String, visit: &mut dyn FnMut(&str, &'a Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    visit(path, object);
    for (name, value) in object {
        let length = path.len();
        path.push('/');
        path.push_str(name);
        match (keyword(name), value) {
            (Keyword::Schema, _) => walk_at(value, path, visit),
            (Keyword::SchemaList, Value::Array(list)) => {
                for (index, inner) in list.iter().enumerate() {
                    walk_step(inner, &index.to_string(), path, visit);
                }
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                for (key, inner) in map {
                    walk_step(inner, &key.replace('~', "~0").replace('/', "~1"), path, visit);
                }
            }
            _ => {}
        }
        path.truncate(length);
    }
}

fn walk_step<'a>(
    schema: &'a Value,
    step: &str,
    path: &mut String,
    visit: &mut dyn FnMut(&str, &'a Map<String, Value>),
) {
    let length = path.len();
    path.push('/');
    path.push_str(step);
    walk_at(schema, path, visit);
    path.truncate(length);
}

/// Returns the type names that `schema` refers to directly, with each reference's path.
pub(super) fn references(schema: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(schema, &mut |path, object| {
        if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(definition_name) {
            found.push((name.into_owned(), path.to_owned()));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_property_is_not_a_keyword() {
        let schema = json!({
            "properties": {"$ref": {"$ref": "#/types/out/A"}, "items": {"type": "string"}},
            "default": {"$ref": "#/types/out/NotAReference"},
            "anyOf": [{"$ref": "#/types/out/B"}, true],
        });
        assert_eq!(
            references(&schema),
            [("A".into(), "/properties/$ref".into()), ("B".into(), "/anyOf/0".into())]
        );
    }

    #[test]
    fn encoded_names_are_decoded() {
        for (reference, name) in [
            ("#/types/out/A~1b", Some("A/b")),
            ("#/types/out/caf%C3%A9", Some("café")),
            ("#/types/out/half%C3", None),
            ("#/types/out/bad%zz", None),
        ] {
            assert_eq!(definition_name(reference).as_deref(), name, "{reference}");
        }
    }
}
