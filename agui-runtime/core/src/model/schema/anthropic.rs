//! Anthropic's strict subset: tools with `strict`, whose arguments always fit their schema.

use serde_json::Value;

use super::place::{SchemaFault, SchemaPath};
use super::recursion::recursive_definitions;
use super::strict::StrictSubset;
use super::walk::{SchemaObject, plain_object, without_dialect};
use crate::json::RemoveMember as _;

const STRICT: StrictSubset = StrictSubset {
    keywords: &[],
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
    most_least_items: 1,
    rules,
};

/// True if a property may have this name. A single other name makes the API refuse all tools in the request.
pub(super) fn takes_name(name: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(is_known)
}

pub(super) fn translate_strict(schema: &Value) -> Result<Value, SchemaFault> {
    let place = SchemaPath::root();
    plain_object(schema, &place)?;
    if let Some(name) = recursive_definitions(schema).first() {
        let at = place.child("$defs").child(name);
        return Err(at.fault(format!("`strict` has no recursive types, and `{name}` contains itself")));
    }
    let mut translated = without_dialect(schema);
    STRICT.translate(&mut translated, &place)?;
    Ok(translated)
}

fn rules(members: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    if members.get("$ref").is_some_and(|to| to == "#") {
        return Err(place.fault("`strict` has no recursive types, and the arguments contain themselves"));
    }
    split_types(members);
    literals(members, place)
}

/// Copies constraints to each type in a type list: the subset knows constraints beside a single type only.
fn split_types(members: &mut SchemaObject) {
    let Some(Value::Array(types)) = members.get("type").cloned() else { return };
    let of_place = |keyword: &str| ["type", "title", "description", "default"].contains(&keyword);
    if members.keys().all(|keyword| of_place(keyword)) {
        return;
    }
    let keywords: Vec<String> = members.keys().filter(|keyword| !of_place(keyword)).cloned().collect();
    let constraints: Vec<_> = keywords
        .iter()
        .filter_map(|keyword| Some((keyword.clone(), members.remove_member(keyword)?)))
        .collect();
    members.remove_member("type");
    let of_type = |of: Value| {
        let mut one = SchemaObject::new();
        if of != "null" {
            one.extend(constraints.iter().cloned());
        }
        one.insert("type".to_owned(), of);
        Value::Object(one)
    };
    let literals = constraints.iter().find(|(keyword, _)| ["enum", "const"].contains(&keyword.as_str()));
    let is_literal = |of: &Value| match literals {
        Some((_, Value::Array(values))) => of != "null" || values.contains(&Value::Null),
        Some((_, only)) => of != "null" || only.is_null(),
        None => true,
    };
    members.insert("anyOf".to_owned(), types.into_iter().filter(is_literal).map(of_type).collect());
}

/// Literals need no `type` beside them, and may not be objects or arrays.
fn literals(members: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let listed = members.get("enum").and_then(Value::as_array);
    if listed.is_some_and(|values| !values.iter().all(is_plain)) {
        return Err(place
            .child("enum")
            .fault("`strict` has no objects and lists among the values of an enum"));
    }
    if members.get("const").is_some_and(|value| !is_plain(value)) {
        return Err(place.child("const").fault("`strict` has no constant objects and lists"));
    }
    if members.contains_key("enum") || members.contains_key("const") {
        keep_literals_of_the_type(members);
        members.remove_member("type");
    }
    Ok(())
}

/// Drops enum values with another type; otherwise they would be accepted once `type` is removed.
fn keep_literals_of_the_type(members: &mut SchemaObject) {
    let Some(of) = members.get("type").and_then(Value::as_str).map(str::to_owned) else { return };
    let fits = |value: &Value| match of.as_str() {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    };
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(fits);
    }
}
