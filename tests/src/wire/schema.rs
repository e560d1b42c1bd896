//! The official JSON Schema of AG-UI 1.0, with the member that AG-UI 1.1 adds.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::fixture;
#[cfg(feature = "optional")]
pub use super::validator::validate;

/// AG-UI 1.1 has no schema file yet. Its one member, `encryptedValueType`, is a text beside every `encryptedValue`.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let mut schema: Value = fixture::json("ag-ui-schema-1.0.json");
    let definitions = schema["$defs"].as_object_mut().expect("the schema has definitions");
    for definition in definitions.values_mut() {
        let Some(properties) = definition.get_mut("properties").and_then(Value::as_object_mut) else {
            continue;
        };
        let members = std::mem::take(properties);
        for (name, member) in members {
            let has_type = name == "encryptedValue";
            properties.insert(name, member);
            if has_type {
                properties.insert("encryptedValueType".to_owned(), json!({ "type": "string" }));
            }
        }
    }
    schema
});

/// All definitions by name, in the order of the file.
#[must_use]
pub fn definitions() -> &'static Map<String, Value> {
    SCHEMA["$defs"].as_object().expect("the schema has definitions")
}

/// The members of a definition in the order they are written: its own in the order of the schema, then those it inherits, by the same
/// rule; on messages `id` and `role` come before all.
///
/// `None` for definitions that are not objects.
#[must_use]
pub fn member_order(definition: &str) -> Option<Vec<String>> {
    let mut members = Vec::new();
    collect(definition, &mut members)?;
    if members.iter().any(|member| member == "role") && members.iter().any(|member| member == "id") {
        members.retain(|member| member != "id" && member != "role");
        members.splice(0..0, ["id".to_owned(), "role".to_owned()]);
    }
    Some(members)
}

fn collect(definition: &str, members: &mut Vec<String>) -> Option<()> {
    let schema = &definitions()[definition];
    for member in schema.get("properties")?.as_object()?.keys() {
        if !members.contains(member) {
            members.push(member.clone());
        }
    }
    for inherited in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        collect(name_of(inherited), members)?;
    }
    Some(())
}

/// The strings of a definition that is a closed set of them, or the constants that tell the members of a union apart.
#[must_use]
pub fn names(definition: &str, key: &str) -> Vec<String> {
    let schema = &definitions()[definition];
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        return names.iter().map(text).collect();
    }
    let alternatives = schema["oneOf"].as_array().expect("a set or a union");
    let constant = |member| text(&definitions()[name_of(member)]["properties"][key]["const"]);
    alternatives.iter().map(constant).collect()
}

fn name_of(reference: &Value) -> &str {
    let reference = reference["$ref"].as_str().expect("a reference");
    reference.strip_prefix("#/$defs/").expect("a reference within the schema")
}
