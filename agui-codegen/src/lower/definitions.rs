//! The schemas in generated code: references become `#/$defs/Name`, and only needed definitions are kept.

use std::borrow::Cow;
use std::collections::BTreeSet;

use agui_runtime::manifest::{Keyword, definition_name, keyword};
use serde_json::{Map, Value};

/// Returns `schema` with manifest references rewritten to `#/$defs/…`.
pub(super) fn with_local_references(schema: &Value) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    let entries = object.iter().map(|(name, value)| {
        let value = match (name.as_str(), keyword(name), value) {
            ("$ref", _, Value::String(reference)) => {
                let local =
                    reference.strip_prefix("#/types/out/").or_else(|| reference.strip_prefix("#/types/in/"));
                Value::String(local.map_or_else(|| reference.clone(), |name| format!("#/$defs/{name}")))
            }
            (_, Keyword::Schema, value) => with_local_references(value),
            (_, Keyword::SchemaList, Value::Array(list)) => {
                Value::Array(list.iter().map(with_local_references).collect())
            }
            (_, Keyword::SchemaMap, Value::Object(map)) => Value::Object(
                map.iter().map(|(key, inner)| (key.clone(), with_local_references(inner))).collect(),
            ),
            (_, _, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(entries.collect())
}

/// Returns `schema`, or the referenced type if `schema` is only a reference: model providers want an object at the
/// root.
pub(super) fn without_root_reference<'a>(
    schema: &'a Value,
    definitions: &'a Map<String, Value>,
) -> &'a Value {
    let target = schema
        .as_object()
        .filter(|object| object.len() == 1)
        .and_then(|object| object.get("$ref"))
        .and_then(Value::as_str)
        .and_then(definition_name)
        .and_then(|name| definitions.get(name.as_ref()));
    target.unwrap_or(schema)
}

/// Returns the definitions that `roots` need, with local references, sorted by name.
pub(super) fn needed<'a>(
    roots: impl Iterator<Item = &'a Value>,
    definitions: &Map<String, Value>,
) -> Map<String, Value> {
    let mut due = Vec::new();
    roots.for_each(|root| collect(root, &mut due));
    let mut names = BTreeSet::new();
    while let Some(name) = due.pop() {
        if let Some(schema) = definitions.get(&name)
            && names.insert(name)
        {
            collect(schema, &mut due);
        }
    }
    let entries = names.into_iter().filter_map(|name| {
        let schema = with_local_references(definitions.get(&name)?);
        Some((name, schema))
    });
    entries.collect()
}

/// Returns `schema` with all referenced definitions included.
pub(super) fn complete(schema: &Value, definitions: &Map<String, Value>) -> Value {
    let mut root = with_local_references(without_root_reference(schema, definitions));
    let needed = needed(std::iter::once(&root), definitions);
    if let (Value::Object(root), false) = (&mut root, needed.is_empty()) {
        root.insert("$defs".into(), Value::Object(needed));
    }
    root
}

fn collect(schema: &Value, names: &mut Vec<String>) {
    let Value::Object(object) = schema else { return };
    for (name, value) in object {
        match (name.as_str(), keyword(name), value) {
            ("$ref", _, Value::String(reference)) => {
                let local = reference.strip_prefix("#/$defs/").map(|name| format!("#/types/out/{name}"));
                let found = definition_name(local.as_deref().unwrap_or(reference)).map(Cow::into_owned);
                names.extend(found);
            }
            (_, Keyword::Schema, value) => collect(value, names),
            (_, Keyword::SchemaList, Value::Array(list)) => {
                list.iter().for_each(|inner| collect(inner, names));
            }
            (_, Keyword::SchemaMap, Value::Object(map)) => {
                map.values().for_each(|inner| collect(inner, names));
            }
            _ => {}
        }
    }
}
