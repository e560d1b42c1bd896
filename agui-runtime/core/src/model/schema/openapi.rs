//! A single OpenAPI 3.0 schema, as Gemini reads it: which keywords may stand together.

use serde_json::Value;

use super::place::{SchemaFault, SchemaPath};
use super::walk::{SchemaObject, describe};
use crate::json::RemoveMember as _;

pub(super) const LONE_NULL: &str =
    "Gemini does not support the type `null` by itself: leave the argument out";

/// Merges the keywords of another schema that applies too.
pub(super) fn merge(
    out: &mut SchemaObject,
    mut more: SchemaObject,
    place: &SchemaPath,
) -> Result<(), SchemaFault> {
    let refuses_null = |one: &SchemaObject| one.contains_key("type") && !one.contains_key("nullable");
    if refuses_null(out) || refuses_null(&more) {
        out.remove_member("nullable");
        more.remove_member("nullable");
    }
    for (keyword, value) in more {
        match (keyword.as_str(), out.get(&keyword)) {
            (_, None) => _ = out.insert(keyword, value),
            (_, Some(own)) if *own == value => {}
            ("title" | "default", _) => {}
            ("description", Some(Value::String(own))) => {
                let both = format!("{own} {}", value.as_str().unwrap_or_default());
                out.insert(keyword, both.into());
            }
            // Both hold, so the closer one does.
            ("minimum", Some(own)) if value.as_f64() <= own.as_f64() => {}
            ("maximum", Some(own)) if value.as_f64() >= own.as_f64() => {}
            ("minimum" | "maximum", Some(_)) => _ = out.insert(keyword, value),
            _ => {
                let reason = format!("Gemini has one `{keyword}` for each value");
                return Err(place.child(&keyword).fault(reason));
            }
        }
    }
    Ok(())
}

/// Gemini refuses a nested object without listed members, and cannot express free members.
pub(super) fn stated_members(out: &SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    let is_object = out.get("type").and_then(Value::as_str) == Some("object");
    let states = out.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    if is_object && !states && !place.is_root() {
        return Err(place.fault("Gemini needs the members of an object"));
    }
    Ok(())
}

/// Drops unknown formats: one makes Gemini refuse all tools in the request.
pub(super) fn known_format(out: &mut SchemaObject) {
    let Some(Value::String(format)) = out.get("format") else { return };
    let known: &[&str] = match out.get("type").and_then(Value::as_str) {
        Some("string") => &["enum", "date-time"],
        Some("number") => &["float", "double"],
        Some("integer") => &["int32", "int64"],
        _ => &[],
    };
    if known.contains(&format.as_str()) {
        return;
    }
    // The formats of Rust's numbers say nothing that the bounds do not say.
    if out.get("type").and_then(Value::as_str) == Some("string") {
        describe(out, "format", "format");
    } else {
        out.remove_member("format");
    }
}

/// `anyOf` stands alone: keywords beside it move into the alternatives, `nullable` included.
pub(super) fn lone_alternatives(out: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    if !out.contains_key("anyOf") {
        return Ok(());
    }
    describe(out, "default", "default");
    let Some(Value::Array(mut any)) = out.get("anyOf").cloned() else { return Ok(()) };
    for (keyword, value) in out.iter().filter(|(keyword, _)| *keyword != "anyOf") {
        for alternative in any.iter_mut().filter_map(Value::as_object_mut) {
            match keyword.as_str() {
                "nullable" => _ = alternative.insert(keyword.clone(), value.clone()),
                "description" | "title" => {
                    let outer = value.as_str().unwrap_or_default();
                    let text = match alternative.get(keyword).and_then(Value::as_str) {
                        Some(inner) if inner != outer => format!("{outer} {inner}"),
                        _ => outer.to_owned(),
                    };
                    alternative.insert(keyword.clone(), text.into());
                }
                "type" if alternative.get("type") == Some(value) => {}
                _ => {
                    return Err(place
                        .child(keyword)
                        .fault(format!("Gemini has no `{keyword}` beside alternatives")));
                }
            }
        }
    }
    out.clear();
    out.insert("anyOf".to_owned(), any.into());
    Ok(())
}

/// `null` fits an enum if both `type` and `enum` allow it.
pub(super) fn null_of_an_enum(members: &SchemaObject, out: &mut SchemaObject) {
    let Some(Value::Array(values)) = members.get("enum") else { return };
    let is_of_type = match members.get("type") {
        Some(Value::Array(types)) => types.iter().any(|one| one == "null"),
        Some(_) => false,
        None => true,
    };
    if !is_of_type || !values.contains(&Value::Null) {
        out.remove_member("nullable");
    }
}

/// `"type": ["string", "null"]` becomes `"type": "string", "nullable": true`.
pub(super) fn one_type(out: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    match out.get("type").cloned() {
        Some(Value::Array(types)) => {
            let (nulls, others): (Vec<_>, Vec<_>) = types.into_iter().partition(|one| one == "null");
            if !nulls.is_empty() {
                out.insert("nullable".to_owned(), true.into());
            }
            if others.is_empty() {
                return Err(place.child("type").fault(LONE_NULL));
            }
            match <[Value; 1]>::try_from(others) {
                Ok([only]) => _ = out.insert("type".to_owned(), only),
                Err(_) => return Err(place.child("type").fault("Gemini has one type for each value")),
            }
            Ok(())
        }
        Some(Value::String(only)) if only == "null" => Err(place.child("type").fault(LONE_NULL)),
        None if !out.contains_key("anyOf") => {
            Err(place.fault("Gemini needs a type, and any value is allowed here"))
        }
        _ => Ok(()),
    }
}
