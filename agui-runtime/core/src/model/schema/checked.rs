//! Refuses schema forms that no provider accepts, at each level, and updates forms from old drafts.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::place::{SchemaFault, SchemaPath};
use super::strict::takes_type;
use super::walk::{SchemaObject, each_child};
use crate::json::RemoveMember as _;
use crate::manifest::without_boolean_schemas;

/// JSON Schema types.
const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// Keywords with number values, and keywords with length values.
const NUMBERS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const LENGTHS: [&str; 8] = [
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
];

/// Keywords with string values, and keywords with boolean values.
const TEXTS: [&str; 8] = ["pattern", "format", "description", "title", "$ref", "$id", "$schema", "$comment"];
const BOOLEANS: [&str; 4] = ["uniqueItems", "deprecated", "readOnly", "writeOnly"];

/// A single provider's extra checks.
#[derive(Clone, Copy)]
pub(super) struct ProviderChecks {
    /// Refuses property names.
    pub(super) refuses_name: Option<fn(&str) -> bool>,
    /// True if each required property needs a schema.
    pub(super) states_required: bool,
    /// True if an array needs an item schema, even an empty one.
    pub(super) states_items: bool,
}

/// Returns the schema in JSON Schema 2020-12 form.
///
/// # Errors
/// The path to a part that no provider accepts.
pub(super) fn checked(schema: &Value, checks: ProviderChecks) -> Result<Value, SchemaFault> {
    let mut schema = schema.clone();
    // Readers of older drafts know no others.
    without_boolean_schemas(&mut schema);
    check(&mut schema, &SchemaPath::root(), checks)?;
    Ok(schema)
}

fn check(schema: &mut Value, place: &SchemaPath, checks: ProviderChecks) -> Result<(), SchemaFault> {
    let members = match schema {
        Value::Object(members) => members,
        // The value of a keyword that has been a boolean or a schema since the first drafts.
        Value::Bool(_) => return Ok(()),
        _ => return Err(place.fault("a schema is an object")),
    };
    newer_bound(members, "minimum", "exclusiveMinimum");
    newer_bound(members, "maximum", "exclusiveMaximum");
    newer_tuple(members);
    without_repeats(members, "required");
    without_repeats(members, "type");
    check_types(members, place)?;
    check_values(members, place, checks)?;
    if checks.states_items && takes_type(members, "array") && !members.contains_key("items") {
        // The same values, as the provider wants them.
        members.insert("items".to_owned(), json!({}));
    }
    each_child(members, place, &mut |child, place| check(child, place, checks))
}

/// Updates an exclusive bound: until draft 6, a boolean beside the bound.
fn newer_bound(members: &mut SchemaObject, bound: &str, exclusive: &str) {
    match members.get(exclusive) {
        Some(Value::Bool(true)) => {
            members.remove_member(exclusive);
            if let Some(value) = members.remove_member(bound) {
                members.insert(exclusive.to_owned(), value);
            }
        }
        Some(Value::Bool(false)) => drop(members.remove_member(exclusive)),
        _ => {}
    }
}

/// Updates a tuple: before draft 2020-12, `items` was a list, with `additionalItems` beside it.
fn newer_tuple(members: &mut SchemaObject) {
    if members.get("items").is_some_and(Value::is_array)
        && let Some(items) = members.remove_member("items")
    {
        members.insert("prefixItems".to_owned(), items);
        if let Some(mut others) = members.remove_member("additionalItems") {
            // No boolean there has been usual.
            without_boolean_schemas(&mut others);
            members.insert("items".to_owned(), others);
        }
    }
}

/// Drops repeated names in a list.
fn without_repeats(members: &mut SchemaObject, keyword: &str) {
    if let Some(Value::Array(names)) = members.get_mut(keyword) {
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
    }
}

fn check_types(members: &SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    let (is_known, written) = match members.get("type") {
        None => return Ok(()),
        Some(Value::Array(names)) => (!names.is_empty() && names.iter().all(known), members.get("type")),
        written => (written.is_some_and(known), written),
    };
    match written {
        Some(written) if !is_known => {
            Err(place.child("type").fault(format!("`{written}` is no type of JSON Schema")))
        }
        _ => Ok(()),
    }
}

fn check_values(
    members: &SchemaObject,
    place: &SchemaPath,
    checks: ProviderChecks,
) -> Result<(), SchemaFault> {
    let fault =
        |keyword: &str, what: &str| Err(place.child(keyword).fault(format!("`{keyword}` must be {what}")));
    for (keyword, value) in members {
        match keyword.as_str() {
            name if NUMBERS.contains(&name) && !value.is_number() => return fault(name, "a number"),
            name if LENGTHS.contains(&name) && value.as_u64().is_none() => {
                return fault(name, "a whole number that is not negative");
            }
            "multipleOf" if value.as_f64().is_none_or(|step| step <= 0.0) => {
                return fault("multipleOf", "more than 0");
            }
            name if TEXTS.contains(&name) && !value.is_string() => return fault(name, "a text"),
            name if BOOLEANS.contains(&name) && !value.is_boolean() => return fault(name, "true or false"),
            name @ ("properties" | "patternProperties" | "$defs" | "definitions") if !value.is_object() => {
                return fault(name, "an object");
            }
            name @ ("anyOf" | "oneOf" | "allOf" | "prefixItems")
                if value.as_array().is_none_or(Vec::is_empty) =>
            {
                return fault(name, "a list with something in it");
            }
            "required" if !value.as_array().is_some_and(|names| names.iter().all(Value::is_string)) => {
                return fault("required", "a list of names");
            }
            name @ ("enum" | "examples") if !value.is_array() => return fault(name, "a list"),
            _ => {}
        }
    }
    let properties = members.get("properties").and_then(Value::as_object);
    let refused = checks.refuses_name.and_then(|refuses| {
        properties.into_iter().flat_map(|properties| properties.keys()).find(|name| refuses(name))
    });
    if let Some(name) = refused {
        let reason = "the provider takes names of at most 64 letters, digits, `_`, `.` and `-`";
        return Err(place.child("properties").child(name).fault(reason));
    }
    if checks.states_required
        && takes_type(members, "object")
        && let Some(Value::Array(required)) = members.get("required")
        && let Some(name) = required
            .iter()
            .filter_map(Value::as_str)
            .find(|name| !properties.is_some_and(|properties| properties.contains_key(*name)))
    {
        return Err(place.child("required").fault(format!("`{name}` is required, and is no property")));
    }
    Ok(())
}
