//! Rewrites boolean schemas as objects: readers of drafts before 6 know no boolean schemas.

use serde_json::{Map, Value, json};

use super::schema::{Keyword, keyword};

/// Keywords that have allowed booleans since draft 4, or that no earlier reader knows. Model providers accept
/// `"additionalProperties": false` only in this form.
const MAY_BE_BOOLEAN: [&str; 4] =
    ["additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"];

/// Writes the schemas `true` and `false` as `{}` and `{"not": {}}`, at every depth. schemars writes `true` for a
/// `serde_json::Value`, and readers of earlier JSON Schema drafts then refuse the whole document.
///
/// ```
/// use agui_runtime::manifest::without_boolean_schemas;
/// use serde_json::json;
///
/// let mut schema = json!({ "properties": { "any": true, "default": { "default": true } }, "additionalProperties": false });
/// without_boolean_schemas(&mut schema);
/// assert_eq!(
///     schema,
///     json!({ "properties": { "any": {}, "default": { "default": true } }, "additionalProperties": false })
/// );
/// ```
pub fn without_boolean_schemas(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({ "not": {} }),
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match (keyword(name), value) {
                    (Keyword::Schema, Value::Bool(_)) if MAY_BE_BOOLEAN.contains(&name.as_str()) => {}
                    // Until draft 2019-09 the items of a tuple were a list.
                    (Keyword::Schema | Keyword::SchemaList, Value::Array(schemas)) => {
                        schemas.iter_mut().for_each(without_boolean_schemas);
                    }
                    (Keyword::Schema, schema) => without_boolean_schemas(schema),
                    (Keyword::SchemaMap, Value::Object(schemas)) => {
                        schemas.values_mut().for_each(without_boolean_schemas);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// True if a schema has one of the forms that allow no value at all.
///
/// ```
/// use agui_runtime::manifest::allows_nothing;
/// use serde_json::json;
///
/// assert!(allows_nothing(&json!(false)) && allows_nothing(&json!({ "not": {} })));
/// assert!(!allows_nothing(&json!({ "not": { "const": 7 } })));
/// ```
#[must_use]
pub fn allows_nothing(schema: &Value) -> bool {
    let is_any = |not: &Value| *not == true || not.as_object().is_some_and(Map::is_empty);
    *schema == false || schema.get("not").is_some_and(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_objects_at_every_depth() {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "any": true,
                "none": false,
                "list": { "type": "array", "items": true, "prefixItems": [true, { "properties": { "a": true } }] },
                "older": { "items": [true, false], "additionalItems": false },
                "default": { "type": "boolean", "default": true, "const": true, "enum": [true, false] },
                "map": { "type": "object", "additionalProperties": { "properties": { "b": true } } },
            },
            "additionalProperties": false,
            "unevaluatedProperties": false,
            "uniqueItems": true,
            "patternProperties": { "^x": true },
            "anyOf": [true, { "not": false }],
            "if": true, "then": { "then": true }, "contains": true, "propertyNames": true,
            "dependentSchemas": { "any": true, "list": { "properties": { "c": false } } },
            "dependencies": { "any": ["list"], "list": false },
            "contentSchema": true,
            "$defs": { "Any": true, "Inner": { "allOf": [true] } },
        });
        let never = json!({ "not": {} });
        let expected = json!({
            "type": "object",
            "properties": {
                "any": {},
                "none": never,
                "list": { "type": "array", "items": {}, "prefixItems": [{}, { "properties": { "a": {} } }] },
                "older": { "items": [{}, never], "additionalItems": false },
                "default": { "type": "boolean", "default": true, "const": true, "enum": [true, false] },
                "map": { "type": "object", "additionalProperties": { "properties": { "b": {} } } },
            },
            "additionalProperties": false,
            "unevaluatedProperties": false,
            "uniqueItems": true,
            "patternProperties": { "^x": {} },
            "anyOf": [{}, { "not": never }],
            "if": {}, "then": { "then": {} }, "contains": {}, "propertyNames": {},
            "dependentSchemas": { "any": {}, "list": { "properties": { "c": never } } },
            "dependencies": { "any": ["list"], "list": never },
            "contentSchema": {},
            "$defs": { "Any": {}, "Inner": { "allOf": [{}] } },
        });
        without_boolean_schemas(&mut schema);
        assert_eq!(schema, expected);
        let mut any = json!(true);
        without_boolean_schemas(&mut any);
        assert_eq!(any, json!({}));
    }
}
