//! Flattens a schema to a list of alternatives without references and unions.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use crate::manifest::structure::referred;
use crate::manifest::walk::list;

/// The number of references followed without a step into the value. A schema with more refers to itself.
const MOST_REFERENCES: usize = 64;

/// The error for a schema with too many alternatives to compare.
#[derive(Debug)]
pub(super) struct TooMany;

/// Returns a schema's alternatives, each with at most one type; an empty list if the schema allows no value. Counts `left` down.
pub(super) fn flat(
    root: &Value,
    schema: &Value,
    left: &Cell<usize>,
) -> Result<Vec<Map<String, Value>>, TooMany> {
    flat_at(root, schema, left, 0)
}

fn flat_at(
    root: &Value,
    schema: &Value,
    left: &Cell<usize>,
    references: usize,
) -> Result<Vec<Map<String, Value>>, TooMany> {
    if *schema == false {
        return Ok(Vec::new());
    }
    let Some(schema) = schema.as_object().filter(|_| references < MOST_REFERENCES) else {
        return Ok(vec![Map::new()]);
    };
    let mut own = schema.clone();
    let outer = ["$ref", "allOf", "anyOf", "oneOf", "$defs", "definitions"].map(|name| own.remove(name));
    let mut alternatives = vec![own];
    let target = outer[0].as_ref().and_then(Value::as_str).and_then(|name| referred(root, name));
    for part in target.into_iter().chain(list(schema, "allOf")) {
        alternatives = product(&alternatives, &flat_at(root, part, left, references + 1)?, left)?;
    }
    for union in ["anyOf", "oneOf"].into_iter().filter(|union| schema.contains_key(*union)) {
        let mut parts = Vec::new();
        for part in list(schema, union) {
            parts.extend(flat_at(root, part, left, references + 1)?);
        }
        alternatives = product(&alternatives, &parts, left)?;
    }
    Ok(alternatives.into_iter().flat_map(by_type).collect())
}

/// Joins each alternative in one list with each in the other, leaving out combinations that allow no value.
fn product(
    some: &[Map<String, Value>],
    others: &[Map<String, Value>],
    left: &Cell<usize>,
) -> Result<Vec<Map<String, Value>>, TooMany> {
    let steps = some.len().saturating_mul(others.len());
    left.set(left.get().checked_sub(steps).ok_or(TooMany)?);
    Ok(some.iter().flat_map(|one| others.iter().filter_map(|other| joined(one, other))).collect())
}

/// Returns the schema for values that both allow; `None` if the types differ.
fn joined(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut joined = one.clone();
    for (name, value) in other {
        let Some(before) = joined.get_mut(name) else {
            joined.insert(name.clone(), value.clone());
            continue;
        };
        match (name.as_str(), before, value) {
            ("properties", Value::Object(before), Value::Object(members)) => {
                for (name, member) in members {
                    let both = before.get(name).filter(|before| *before != member);
                    let member =
                        both.map_or_else(|| member.clone(), |both| json!({ "allOf": [both, member] }));
                    before.insert(name.clone(), member);
                }
            }
            ("required", Value::Array(before), Value::Array(names)) => {
                before.extend(names.iter().cloned());
            }
            ("enum", Value::Array(before), Value::Array(values)) => {
                before.retain(|value| values.contains(value));
            }
            ("type", before, value) => *before = common_type(before, value)?,
            (_, before, value) => *before = value.clone(),
        }
    }
    Some(joined)
}

fn types(of: &Value) -> Vec<&str> {
    match of {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn common_type(one: &Value, other: &Value) -> Option<Value> {
    let others = types(other);
    let common: Vec<_> = types(one)
        .into_iter()
        .filter_map(|name| match name {
            "number" if !others.contains(&name) => others.contains(&"integer").then_some("integer"),
            "integer" if others.contains(&"number") => Some(name),
            _ => others.contains(&name).then_some(name),
        })
        .collect();
    if common.is_empty() { None } else { Some(json!(common)) }
}

/// Splits a schema with several types into one per type.
fn by_type(schema: Map<String, Value>) -> Vec<Map<String, Value>> {
    let Some(Value::Array(names)) = schema.get("type") else { return vec![schema] };
    let of = |name: &Value| {
        let mut schema = schema.clone();
        schema.insert("type".to_owned(), name.clone());
        schema
    };
    names.iter().map(of).collect()
}
