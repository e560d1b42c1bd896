//! Reads typed JSON from a client within a memory limit.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::manifest::{Keyword, TypeSource, allows_nothing, keyword};
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::any_json::meter::JsonMeter;
use crate::protocol::{JsonReadError, LazyJson};

/// Reads client JSON; `Ok(Err(_))` if the type refuses it. `reader` is the value's JSON Pointer in the run's input, which no other
/// reader uses as a name.
///
/// # Errors
/// The needed bytes, if reading takes too much memory where the type leaves the shape open.
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(
    sent: &LazyJson<Value>,
    allowance: &MemoryAllowance,
    reader: &'static str,
) -> Result<Result<T, JsonReadError>, usize> {
    let len = sent.text().map_or(0, str::len);
    let meter = || JsonMeter::new(len, allowance, reader);
    let first = meter();
    let read = sent.read_measured(&first);
    let Some(bytes) = first.excess() else { return Ok(read) };
    if may_be_any(TypeSource::of::<T>().root_schema().as_value()) {
        return Err(bytes);
    }
    // Nothing without a type stays: serde only kept some values until it knew their types.
    drop((read, first));
    let meter = meter().transient();
    let read = sent.read_measured(&meter);
    meter.excess().map_or(Ok(read), Err)
}

/// Returns true if a schema allows any value, list or object at some place. A type that refuses or ignores unknown members has a
/// schema that lists the known ones.
fn may_be_any(schema: &Value) -> bool {
    if allows_nothing(schema) {
        return false;
    }
    let Value::Object(keywords) = schema else { return *schema == Value::Bool(true) };
    let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
    let is_of = |kind: &str| match keywords.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        Some(one) => one == kind,
        None => false,
    };
    let is_any = !has(&["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"])
        || is_of("array") && !has(&["items", "prefixItems", "maxItems"])
        || is_of("object")
            && !has(&["properties", "additionalProperties", "patternProperties", "maxProperties"]);
    is_any
        || keywords.iter().any(|(name, value)| match (keyword(name), value) {
            // These only narrow the values that the others allow.
            _ if ["not", "if", "propertyNames", "contains"].contains(&name.as_str()) => false,
            (Keyword::Schema, schema) => may_be_any(schema),
            (Keyword::SchemaList, Value::Array(schemas)) => schemas.iter().any(may_be_any),
            (Keyword::SchemaMap, Value::Object(schemas)) => schemas.values().any(may_be_any),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use schemars::JsonSchema;
    use serde_json::json;

    use super::*;

    fn is_any<T: JsonSchema>() -> bool {
        may_be_any(TypeSource::of::<T>().root_schema().as_value())
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is of interest")]
    struct Closed {
        /// A text.
        text: String,
        list: Vec<Option<(u8, f64)>>,
        map: HashMap<String, Kind>,
        own: Option<Box<Closed>>,
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only its schema is of interest")]
    enum Kind {
        Empty,
        Full { text: String },
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is of interest")]
    struct Described {
        /// Any value.
        #[serde(default)]
        any: Value,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is of interest")]
    struct Rest {
        text: String,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }

    #[test]
    fn types_with_a_shape_differ_from_types_that_may_hold_anything() {
        assert_eq!((is_any::<Closed>(), is_any::<Kind>(), is_any::<Vec<u8>>()), (false, false, false));
        assert_eq!(
            (is_any::<Value>(), is_any::<Vec<Option<Value>>>(), is_any::<Described>()),
            (true, true, true)
        );
        assert_eq!((is_any::<Rest>(), is_any::<HashMap<String, Value>>()), (true, true));
        for schema in
            [json!({ "type": "array" }), json!({ "type": ["object", "null"] }), json!({ "title": "any" })]
        {
            assert!(may_be_any(&schema), "{schema}");
        }
    }
}
