//! Anthropic's strict subset: tools with `strict`, whose arguments the model cannot write wrongly.

use serde_json::{Value, json};

use super::place::{Fault, Place};
use super::recursion::recursive;
use super::walk::{Object, describe, each_child, plain_object, without_dialect, wrap_reference};
use crate::json::RemoveMember as _;

pub(super) fn translate_strict(schema: &Value) -> Result<Value, Fault> {
    let place = Place::root();
    plain_object(schema, &place)?;
    if let Some(name) = recursive(schema).first() {
        let at = place.child("$defs").child(name);
        return Err(at.fault(format!("`strict` has no recursive types, and `{name}` contains itself")));
    }
    let mut translated = without_dialect(schema);
    strict(&mut translated, &place)?;
    Ok(translated)
}

/// The keywords without a form. Their meaning cannot move into a description, because the model must obey the rest.
const LACKING: [&str; 10] = [
    "allOf",
    "not",
    "if",
    "contains",
    "prefixItems",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "dependentRequired",
    "unevaluatedItems",
];

/// The keywords of the subset.
const KNOWN: [&str; 11] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
    "title",
];

/// The constraints outside of the subset, with the words that take their place in the description.
const UNKNOWN: [(&str, &str); 12] = [
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("exclusiveMinimum", "greater than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "multiple of"),
    ("minLength", "shortest length"),
    ("maxLength", "longest length"),
    ("minItems", "fewest items"),
    ("maxItems", "most items"),
    ("uniqueItems", "no item twice"),
    ("minProperties", "fewest members"),
    ("maxProperties", "most members"),
];

const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

fn strict(schema: &mut Value, place: &Place) -> Result<(), Fault> {
    let members = match schema {
        Value::Object(members) => members,
        Value::Bool(true) => return Err(place.fault("any value is allowed here, and `strict` needs a type")),
        _ => return Ok(()),
    };
    if members.get("$ref").and_then(Value::as_str) == Some("#") {
        return Err(place.fault("`strict` has no recursive types, and the arguments contain themselves"));
    }
    for keyword in LACKING {
        if members.contains_key(keyword) {
            let at = place.child(keyword);
            return Err(
                at.fault(format!("`strict` does not know `{keyword}`: use a struct, or leave `strict` off"))
            );
        }
    }
    wrap_reference(members);
    if let Some(one) = members.remove_member("oneOf") {
        // The alternatives of an enum exclude each other, so that one of them is the same as any of them.
        members.insert("anyOf".to_owned(), one);
    }
    if members.contains_key("properties") && !members.contains_key("type") {
        members.insert("type".to_owned(), "object".into());
    }
    split_types(members);
    literals(members, place)?;
    if !["type", "anyOf", "enum", "const", "$ref"].iter().any(|keyword| members.contains_key(*keyword)) {
        return Err(place.fault("any value is allowed here, and `strict` needs a type"));
    }
    alternatives_alone(members, place)?;
    if members.get("type").and_then(Value::as_str) == Some("object") {
        close(members, place)?;
    }
    describe_unknown(members);
    each_child(members, place, &mut strict)
}

/// Each of several types gets the constraints, because the subset knows them beside one type alone.
fn split_types(members: &mut Object) {
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
        let mut one = Object::new();
        if of != "null" {
            one.extend(constraints.iter().cloned());
        }
        one.insert("type".to_owned(), of);
        Value::Object(one)
    };
    members.insert("anyOf".to_owned(), types.into_iter().map(of_type).collect());
}

/// Literals have no type of their own beside them, and are no objects or lists.
fn literals(members: &mut Object, place: &Place) -> Result<(), Fault> {
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
        members.remove_member("type");
    }
    Ok(())
}

/// Beside alternatives the subset knows a description alone.
fn alternatives_alone(members: &Object, place: &Place) -> Result<(), Fault> {
    if !members.contains_key("anyOf") {
        return Ok(());
    }
    let with = members.keys().find(|keyword| {
        ["type", "properties", "required", "items", "enum", "const", "additionalProperties"]
            .contains(&keyword.as_str())
    });
    match with {
        None => Ok(()),
        Some(keyword) => Err(place.child(keyword).fault(
            "`strict` has nothing beside alternatives: put it into each of them, or leave `strict` off",
        )),
    }
}

/// An object has no other members. Unlike at OpenAI, it may lack some.
fn close(members: &mut Object, place: &Place) -> Result<(), Fault> {
    if members.get("additionalProperties").is_some_and(|more| *more != false) {
        let at = place.child("additionalProperties");
        return Err(at.fault("`strict` has no maps: take a list of entries, or leave `strict` off"));
    }
    members.remove_member("unevaluatedProperties");
    members.insert("additionalProperties".to_owned(), false.into());
    members.entry("properties").or_insert_with(|| json!({}));
    Ok(())
}

fn describe_unknown(members: &mut Object) {
    members.remove_member("$comment");
    let is_text = members.get("type").and_then(Value::as_str) == Some("string");
    let format = members.get("format").and_then(Value::as_str);
    let has_format = is_text && format.is_some_and(|format| FORMATS.contains(&format));
    let has_least = members.get("minItems").and_then(Value::as_u64).is_some_and(|least| least < 2);
    let keywords: Vec<String> = members.keys().cloned().collect();
    for keyword in keywords {
        let is_known = match keyword.as_str() {
            "format" => has_format,
            "minItems" => has_least,
            keyword => keyword == "description" || KNOWN.contains(&keyword),
        };
        if !is_known {
            let words = UNKNOWN.iter().find(|(known, _)| *known == keyword).map(|(_, words)| *words);
            describe(members, &keyword, words.unwrap_or(&keyword));
            // A constraint that says nothing, such as `uniqueItems: false`.
            members.remove_member(&keyword);
        }
    }
}
