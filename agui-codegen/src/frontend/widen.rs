//! Schemas without the constraints that no simple type shows.

use serde_json::{Map, Value, json};

use super::alternatives::chosen;

/// Drops the constraints that simple Rust types do not show. The page checks the values.
pub(super) fn widen(schema: &mut Map<String, Value>) {
    let is_never = |not: &Value| *not == Value::Bool(true) || not.as_object().is_some_and(Map::is_empty);
    if schema.get("not").is_some_and(|not| !is_never(not)) {
        schema.remove("not");
    }
    for keyword in ["if", "then", "else", "dependentSchemas", "dependencies", "contains"] {
        schema.remove(keyword);
    }
    // From 1 on, typify uses `NonZero`.
    for keyword in ["minimum", "exclusiveMinimum"] {
        if schema.get(keyword).and_then(Value::as_f64).is_some_and(|least| least > 0.0) {
            schema.remove(keyword);
            schema.insert("minimum".into(), json!(0));
        }
    }
    if let Some(patterns) = schema.remove("patternProperties") {
        let mut patterns = patterns.as_object().into_iter().flat_map(Map::values);
        let only = patterns.next().filter(|_| !schema.contains_key("properties"));
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            let rest = if patterns.next().is_none() { only.cloned() } else { None };
            schema.insert("additionalProperties".into(), rest.unwrap_or(Value::Bool(true)));
        }
    }
    chosen(schema);
}
