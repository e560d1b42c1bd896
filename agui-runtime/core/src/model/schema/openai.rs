//! OpenAI's subsets, with and without `strict`.

use serde_json::{Value, json};

use super::openai_limits::check_limits;
use super::place::{SchemaFault, SchemaPath};
use super::strict::{StrictSubset, takes_type};
use super::walk::{SchemaObject, each_child, plain_object, without_dialect, wrap_reference};

/// Leaves each `$ref` alone, because the API ignores or refuses keywords beside it.
pub(super) fn translate(schema: &Value) -> Result<Value, SchemaFault> {
    let place = SchemaPath::root();
    plain_object(schema, &place)?;
    let mut translated = without_dialect(schema);
    alone(&mut translated, &place)?;
    Ok(translated)
}

fn alone(schema: &mut Value, place: &SchemaPath) -> Result<(), SchemaFault> {
    let Value::Object(members) = schema else { return Ok(()) };
    wrap_reference(members);
    each_child(members, place, &mut alone)
}

/// The structured outputs subset.
const STRICT: StrictSubset = StrictSubset {
    keywords: &[
        "pattern",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "maxItems",
    ],
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
    most_least_items: u64::MAX,
    rules,
};

/// Applies the structured outputs rules.
pub(super) fn translate_strict(schema: &Value) -> Result<Value, SchemaFault> {
    let place = SchemaPath::root();
    plain_object(schema, &place)?;
    let mut translated = without_dialect(schema);
    STRICT.translate(&mut translated, &place)?;
    check_limits(&translated, &place)?;
    Ok(translated)
}

fn rules(members: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    if takes_type(members, "array") && !members.contains_key("items") {
        return Err(place.fault("any items are allowed here, and `strict` needs their type"));
    }
    if takes_type(members, "object") { require_all(members, place) } else { Ok(()) }
}

/// Makes every property required: an optional property takes `null` instead.
fn require_all(members: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    let mut required: Vec<Value> =
        members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = members.get("properties") {
        for (name, schema) in properties {
            if required.iter().any(|required| required == name) {
                continue;
            }
            if !takes_null(schema) {
                let at = place.child("properties").child(name);
                return Err(at.fault(
                    "`strict` cannot leave an argument out: make it an `Option`, which takes `null`",
                ));
            }
            required.push(name.as_str().into());
        }
        let place_of = |name: &Value| properties.keys().position(|key| name == key);
        required.sort_by_key(|name| place_of(name).unwrap_or(usize::MAX));
    }
    members.insert("required".to_owned(), json!(required));
    Ok(())
}

/// True if the schema accepts `null`.
fn takes_null(schema: &Value) -> bool {
    if let Some(only) = schema.get("const") {
        return only.is_null();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.contains(&Value::Null);
    }
    match schema.get("type") {
        Some(Value::String(one)) => return one == "null",
        Some(Value::Array(several)) => return several.iter().any(|one| one == "null"),
        _ => {}
    }
    ["anyOf", "oneOf"].iter().any(|keyword| {
        schema.get(keyword).and_then(Value::as_array).is_some_and(|any| any.iter().any(takes_null))
    })
}
