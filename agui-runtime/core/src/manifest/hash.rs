//! A manifest's hashes.

use std::collections::HashMap;

use hmac_sha256::Hash as Sha256;
use serde_json::{Map, Value, json};

use super::canonical::by_name;
use super::schema::{Keyword, keyword};
use super::{CatalogDef, HashDef, Manifest, ResultDef};
use crate::hex::hex;
use crate::protocol::object;

/// Keywords that describe a value to people, without effect on which values are valid.
const ANNOTATIONS: [&str; 7] =
    ["title", "description", "examples", "$comment", "deprecated", "readOnly", "writeOnly"];

/// Computes both hashes, ignoring the `hash` member.
pub(super) fn hash(manifest: &Manifest) -> HashDef {
    let mut plain = manifest.clone();
    plain.hash = HashDef { wire: String::new(), full: String::new() };
    HashDef { wire: sha256(&wire_form(manifest).to_string()), full: sha256(&plain.to_json()) }
}

fn sha256(text: &str) -> String {
    format!("sha256-{}", hex(&Sha256::hash(text.as_bytes())))
}

/// Returns everything that affects the wire, in one order: every list whose order has no meaning is sorted. Types are identified
/// by name alone, so that a move to another module does not change the hash, unless two types share a name.
fn wire_form(manifest: &Manifest) -> Value {
    let types = manifest.types.out.keys().chain(manifest.types.input.keys());
    let mut owners: HashMap<&str, Option<&str>> = HashMap::new();
    for key in types {
        let only = owners.entry(manifest.type_name(key)).or_insert(Some(key));
        *only = only.filter(|only| only == key);
    }
    let manifest = manifest.rekeyed(&|key| {
        let name = manifest.type_name(key);
        let is_own = owners.get(name).is_some_and(Option::is_some);
        if is_own { name.to_owned() } else { key.to_owned() }
    });
    let agents = manifest.agents.iter().map(|agent| {
        let tools = agent.tools.iter().map(|tool| {
            let result = tool.result.as_ref().map(|result| match result {
                ResultDef::Out(schema) => json!({"out": wire_schema(schema)}),
                ResultDef::In(schema) => json!({"in": wire_schema(schema)}),
            });
            json!({
                "name": tool.name,
                "side": tool.side,
                "params": {"out": wire_schema(&tool.params.out), "in": wire_schema(&tool.params.input)},
                "result": result,
            })
        });
        let events =
            agent.events.iter().map(|event| json!({"name": event.name, "value": wire_schema(&event.value)}));
        let interrupts = agent.interrupts.iter().map(|interrupt| {
            json!({
                "reason": interrupt.reason,
                "payload": wire_schema(&interrupt.payload),
                "response": wire_schema(&interrupt.response),
            })
        });
        let mut form = json!({
            "name": agent.name,
            "state": agent.state.as_ref().map(|pair| {
                json!({"out": wire_schema(&pair.out), "in": wire_schema(&pair.input)})
            }),
            "tools": sorted(tools),
            "events": sorted(events),
        });
        let activities = agent.activities.iter().map(
            |activity| json!({"type": activity.activity_type, "content": wire_schema(&activity.content)}),
        );
        // A part that the agent lacks is left out, so that its hash is the same as in versions
        // that did not know the member.
        if let Value::Object(form) = &mut form {
            let mut add = |name: &str, value: Option<Value>| {
                value.map(|value| form.insert(name.into(), value));
            };
            add("interrupts", (!agent.interrupts.is_empty()).then(|| sorted(interrupts)));
            add("activities", (!agent.activities.is_empty()).then(|| sorted(activities)));
            add("output", agent.output.as_ref().map(wire_schema));
            add("forwarded", agent.forwarded.as_ref().map(wire_schema));
            let catalogs = || sorted(agent.catalogs.iter().map(wire_catalog));
            add("catalogs", (!agent.catalogs.is_empty()).then(catalogs));
        }
        form
    });
    sort_keys(json!({
        "agents": sorted(agents),
        "types": {"out": wire_map(&manifest.types.out), "in": wire_map(&manifest.types.input)},
    }))
}

fn wire_catalog(catalog: &CatalogDef) -> Value {
    let components = catalog
        .components
        .iter()
        .map(|component| json!({"name": component.name, "properties": wire_schema(&component.properties)}));
    let functions = catalog.functions.iter().map(|function| {
        json!({
            "name": function.name,
            "side": function.side,
            "arguments": wire_schema(&function.arguments),
            "value": function.value.as_ref().map(wire_schema),
        })
    });
    json!({"id": catalog.id, "components": sorted(components), "functions": sorted(functions)})
}

fn wire_schema(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let kept =
        keywords.iter().filter(|(name, _)| !ANNOTATIONS.contains(&name.as_str())).map(|(name, value)| {
            let value = match (keyword(name), value) {
                (Keyword::Schema, value) => wire_schema(value),
                // A tuple is the one list of schemas whose order is part of the wire format.
                (Keyword::SchemaList, Value::Array(list)) if name == "prefixItems" => {
                    Value::Array(list.iter().map(wire_schema).collect())
                }
                (Keyword::SchemaList, Value::Array(list)) => sorted(list.iter().map(wire_schema)),
                (Keyword::SchemaMap, Value::Object(map)) => wire_map(map),
                (_, Value::Array(list)) if matches!(name.as_str(), "required" | "enum" | "type") => {
                    sorted(list.iter().cloned())
                }
                _ => value.clone(),
            };
            (name.clone(), value)
        });
    Value::Object(object(kept))
}

fn wire_map(map: &Map<String, Value>) -> Value {
    Value::Object(object(map.iter().map(|(name, schema)| (name.clone(), wire_schema(schema)))))
}

fn sorted(values: impl Iterator<Item = Value>) -> Value {
    let mut values: Vec<Value> = values.collect();
    values.iter_mut().for_each(|value| *value = sort_keys(value.take()));
    values.sort_by_cached_key(Value::to_string);
    Value::Array(values)
}

fn sort_keys(value: Value) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.into_iter().map(sort_keys).collect()),
        Value::Object(map) => {
            Value::Object(object(by_name(map).into_iter().map(|(name, inner)| (name, sort_keys(inner)))))
        }
        other => other,
    }
}
