//! OpenAI's subsets: the loose one, and `strict`.

use serde_json::{Value, json};

use super::place::{Fault, Place};
use super::walk::{Object, describe, each_child, plain_object, without_dialect, wrap_reference};
use crate::json::RemoveMember as _;

/// A `$ref` stands alone, because the API ignores or refuses what stands beside it.
pub(super) fn translate(schema: &Value) -> Result<Value, Fault> {
    let place = Place::root();
    plain_object(schema, &place)?;
    let mut translated = without_dialect(schema);
    alone(&mut translated, &place)?;
    Ok(translated)
}

fn alone(schema: &mut Value, place: &Place) -> Result<(), Fault> {
    let Value::Object(members) = schema else { return Ok(()) };
    wrap_reference(members);
    each_child(members, place, &mut alone)
}

/// The rules of structured outputs.
pub(super) fn translate_strict(schema: &Value) -> Result<Value, Fault> {
    let place = Place::root();
    plain_object(schema, &place)?;
    let mut translated = without_dialect(schema);
    strict(&mut translated, &place)?;
    Ok(translated)
}

/// The constraints that `strict` refuses, with the words that take their place in the description.
const UNKNOWN: [(&str, &str); 8] = [
    ("minLength", "shortest length"),
    ("maxLength", "longest length"),
    ("uniqueItems", "no item twice"),
    ("minProperties", "fewest members"),
    ("maxProperties", "most members"),
    ("contentEncoding", "encoded as"),
    ("contentMediaType", "media type"),
    ("default", "default"),
];

fn strict(schema: &mut Value, place: &Place) -> Result<(), Fault> {
    let members = match schema {
        Value::Object(members) => members,
        Value::Bool(true) => return Err(place.fault("any value is allowed here, and `strict` needs a type")),
        _ => return Ok(()),
    };
    if members.is_empty() || (members.len() == 1 && members.contains_key("description")) {
        return Err(place.fault("any value is allowed here, and `strict` needs a type"));
    }
    wrap_reference(members);
    if let Some(one) = members.remove_member("oneOf") {
        // The alternatives of an enum exclude each other, so that one of them is the same as any of them.
        members.insert("anyOf".to_owned(), one);
    }
    for keyword in
        ["allOf", "not", "if", "prefixItems", "patternProperties", "propertyNames", "dependentSchemas"]
    {
        if members.contains_key(keyword) {
            let at = place.child(keyword);
            return Err(
                at.fault(format!("`strict` does not know `{keyword}`: use a struct, or leave `strict` off"))
            );
        }
    }
    for (keyword, words) in UNKNOWN {
        describe(members, keyword, words);
    }
    if is_object(members) {
        close_object(members, place)?;
    }
    each_child(members, place, &mut strict)
}

fn is_object(members: &Object) -> bool {
    match members.get("type") {
        Some(Value::String(one)) => one == "object",
        Some(Value::Array(several)) => several.iter().any(|one| one == "object"),
        _ => members.contains_key("properties"),
    }
}

/// Every property of an object is required, and there are no others.
fn close_object(members: &mut Object, place: &Place) -> Result<(), Fault> {
    match members.get("additionalProperties") {
        None | Some(Value::Bool(false)) => {}
        Some(_) => {
            let at = place.child("additionalProperties");
            return Err(at.fault("`strict` has no maps: take a list of entries, or leave `strict` off"));
        }
    }
    members.insert("additionalProperties".to_owned(), false.into());
    let required: Vec<Value> = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = members.get("properties") else {
        members.insert("properties".to_owned(), json!({}));
        members.insert("required".to_owned(), json!([]));
        return Ok(());
    };
    for (name, schema) in properties {
        if !required.iter().any(|required| required == name) && !takes_null(schema) {
            let at = place.child("properties").child(name);
            return Err(
                at.fault("`strict` cannot leave an argument out: make it an `Option`, which takes `null`")
            );
        }
    }
    let names: Vec<Value> = properties.keys().map(|name| Value::from(name.as_str())).collect();
    members.insert("required".to_owned(), names.into());
    Ok(())
}

/// Returns true if the schema accepts `null`.
fn takes_null(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => return one == "null",
        Some(Value::Array(several)) => return several.iter().any(|one| one == "null"),
        _ => {}
    }
    ["anyOf", "oneOf"].iter().any(|keyword| {
        schema.get(keyword).and_then(Value::as_array).is_some_and(|any| any.iter().any(takes_null))
    })
}
