//! Translates other dialects' validation keywords to JSON Schema, and boolean schemas to objects: a manifest may be
//! older than this program.

use agui_runtime::manifest::{Keyword, Manifest, ResultDef, SchemaPair, keyword, without_boolean_schemas};
use serde_json::{Map, Value, json};

/// The keyword by which Kubernetes marks a schema for a whole number or a string.
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// Translates all schemas in `manifest` to JSON Schema.
pub(super) fn translate(manifest: &mut Manifest) {
    let pair = |pair: &mut SchemaPair| {
        translate_schema(&mut pair.out);
        translate_schema(&mut pair.input);
    };
    for agent in &mut manifest.agents {
        agent.state.iter_mut().for_each(pair);
        for tool in &mut agent.tools {
            pair(&mut tool.params);
            if let Some(ResultDef::Out(schema) | ResultDef::In(schema)) = &mut tool.result {
                translate_schema(schema);
            }
        }
        agent.events.iter_mut().for_each(|event| translate_schema(&mut event.value));
        for interrupt in &mut agent.interrupts {
            translate_schema(&mut interrupt.payload);
            translate_schema(&mut interrupt.response);
        }
        agent.activities.iter_mut().for_each(|activity| translate_schema(&mut activity.content));
        agent.output.iter_mut().chain(&mut agent.forwarded).for_each(translate_schema);
    }
    manifest.types.out.values_mut().for_each(translate_schema);
    manifest.types.input.values_mut().for_each(translate_schema);
}

fn translate_schema(schema: &mut Value) {
    without_boolean_schemas(schema);
    translate_keywords(schema);
}

fn translate_keywords(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if object.get(INT_OR_STRING) == Some(&Value::Bool(true)) {
        // The other keywords say the same in OpenAPI's terms, which have no type lists. They may add `null`.
        let types = if adds_null(object) {
            json!(["integer", "string", "null"])
        } else {
            json!(["integer", "string"])
        };
        object.retain(|name, _| {
            ![INT_OR_STRING, "anyOf", "oneOf", "format", "nullable"].contains(&name.as_str())
        });
        object.insert("type".into(), types);
    }
    for (name, value) in object {
        match (keyword(name), value) {
            (Keyword::Schema, value) => translate_keywords(value),
            (Keyword::SchemaList, Value::Array(list)) => list.iter_mut().for_each(translate_keywords),
            (Keyword::SchemaMap, Value::Object(map)) => map.values_mut().for_each(translate_keywords),
            _ => {}
        }
    }
}

/// Returns true if the schema accepts `null` beside the number and the string, in any notation.
fn adds_null(schema: &Map<String, Value>) -> bool {
    let is_null = |value: &Value| value == "null";
    let has_null = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(is_null),
        Some(one) => is_null(one),
        None => false,
    };
    let of_a_part = |name| {
        let parts = schema.get(name).and_then(Value::as_array).into_iter().flatten();
        parts.filter_map(Value::as_object).any(adds_null)
    };
    has_null || schema.get("nullable") == Some(&Value::Bool(true)) || of_a_part("anyOf") || of_a_part("oneOf")
}
