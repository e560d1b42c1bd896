//! `oneOf`, for providers that know only `anyOf`.

use serde_json::Value;

use super::walk::{SchemaObject, note};

/// Notes in the description that exactly one alternative fits, unless the alternatives exclude each other.
pub(super) fn note_exclusion(members: &mut SchemaObject) {
    if members.get("oneOf").is_some_and(|alternatives| !exclude_each_other(alternatives)) {
        note(members, EXACTLY_ONE);
    }
}

pub(super) const EXACTLY_ONE: &str = "exactly one of the alternatives fits";

/// True if no value can fit two alternatives, as in serde's tagged enums.
pub(super) fn exclude_each_other(alternatives: &Value) -> bool {
    let list = alternatives.as_array().map_or(&[][..], Vec::as_slice);
    let mut pairs =
        list.iter().enumerate().flat_map(|(at, one)| list.iter().skip(at + 1).map(move |other| (one, other)));
    pairs.all(|(one, other)| are_disjoint(one, other))
}

fn are_disjoint(one: &Value, other: &Value) -> bool {
    if let (Some(one), Some(other)) = (literals(one), literals(other)) {
        return one.iter().all(|literal| !other.contains(literal));
    }
    if let (Some(one), Some(other)) = (types(one), types(other)) {
        let overlap =
            |a: &str, b: &str| a == b || matches!((a, b), ("integer", "number") | ("number", "integer"));
        if !one.iter().any(|a| other.iter().any(|b| overlap(a, b))) {
            return true;
        }
    }
    is_object(one)
        && is_object(other)
        && (differ_in_a_member(one, other)
            || requires_forbidden_member(one, other)
            || requires_forbidden_member(other, one))
}

fn is_object(schema: &Value) -> bool {
    types(schema).is_some_and(|types| types == ["object"])
}

/// True if both schemas require a member whose values cannot fit both.
fn differ_in_a_member(one: &Value, other: &Value) -> bool {
    let is_of_both = |name: &&str| required(other).any(|another| another == *name);
    required(one).filter(is_of_both).any(|name| match (member(one, name), member(other, name)) {
        (Some(one), Some(other)) => are_disjoint(one, other),
        _ => false,
    })
}

fn member<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    schema.get("properties")?.get(name)
}

/// True if `one` requires a member that `other` forbids.
fn requires_forbidden_member(one: &Value, other: &Value) -> bool {
    other.get("additionalProperties") == Some(&Value::Bool(false))
        && required(one).any(|name| member(other, name).is_none())
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the enum values; `None` if two differently written numbers may be equal.
fn literals(schema: &Value) -> Option<Vec<&Value>> {
    let literals = match (schema.get("const"), schema.get("enum")) {
        (Some(literal), _) => vec![literal],
        (None, Some(Value::Array(literals))) => literals.iter().collect(),
        _ => return None,
    };
    (!literals.iter().any(|literal| literal.is_f64())).then_some(literals)
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type") {
        Some(Value::String(one)) => Some(vec![one]),
        Some(Value::Array(several)) => several.iter().map(Value::as_str).collect(),
        _ => literals(schema).map(|literals| literals.into_iter().map(type_of).collect()),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
