//! Enums and alternatives, in the form that typify handles best.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::names::pascal;

/// Turns an enum with strings and other values into alternatives: typify supports either, but not both.
pub(super) fn mixed(schema: &mut Map<String, Value>, strict: bool) {
    let Some(Value::Array(values)) = schema.get("enum") else { return };
    let (texts, others): (Vec<Value>, Vec<Value>) = values.iter().cloned().partition(Value::is_string);
    if texts.is_empty() || others.is_empty() || schema.contains_key("type") || schema.contains_key("anyOf") {
        return;
    }
    let mut any = vec![json!({ "type": "string", "enum": texts })];
    for other in others {
        let mut one = match other {
            Value::Null => Map::from_iter([("type".to_owned(), json!("null"))]),
            other => Map::from_iter([("enum".to_owned(), json!([other]))]),
        };
        if !strict {
            chosen(&mut one);
        }
        any.push(Value::Object(one));
    }
    schema.remove("enum");
    schema.insert("anyOf".into(), Value::Array(any));
}

/// Turns `z.union([z.literal("a"), z.literal("b")])` into an enum, and drops alternatives that no value satisfies.
pub(super) fn alternatives(schema: &mut Map<String, Value>) {
    if let Some(only @ Value::String(_)) = schema.get("const").cloned() {
        schema.remove("const");
        schema.insert("enum".into(), Value::Array(vec![only]));
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = schema.get(keyword) else { continue };
        let mut kept: Vec<Value> = Vec::new();
        let mut texts: Option<usize> = None;
        for alternative in all {
            let is_none = *alternative == Value::Bool(false) || *alternative == json!({"not": {}});
            if is_none || kept.contains(alternative) {
                continue;
            }
            let before =
                texts.and_then(|place| kept.get_mut(place)).and_then(|before| before.get_mut("enum"));
            match (names(alternative), before) {
                (Some(more), Some(Value::Array(names))) => {
                    names.extend(
                        more.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>(),
                    );
                }
                (given, _) => {
                    texts = texts.or(given.map(|_| kept.len()));
                    kept.push(alternative.clone());
                }
            }
        }
        match <[Value; 1]>::try_from(kept) {
            Ok([Value::Object(only)]) if only.keys().all(|name| !schema.contains_key(name)) => {
                schema.remove(keyword);
                schema.extend(only);
            }
            Ok(only) => drop(schema.insert(keyword.into(), Value::Array(only.into()))),
            Err(kept) => drop(schema.insert(keyword.into(), Value::Array(kept))),
        }
    }
}

/// Returns the strings if a schema only lists strings.
fn names(schema: &Value) -> Option<&Vec<Value>> {
    let members = schema.as_object()?;
    let is_plain = members.keys().all(|keyword| keyword == "enum" || keyword == "type");
    let names = members.get("enum").and_then(Value::as_array)?;
    (is_plain && names.iter().all(Value::is_string)).then_some(names)
}

/// Drops choices that cannot be a Rust enum: numbers, and strings that become the same Rust name.
pub(super) fn chosen(schema: &mut Map<String, Value>) {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => vec![only.clone()],
        (None, Some(Value::Array(values))) => values.clone(),
        _ => return,
    };
    let types: BTreeSet<&str> = values
        .iter()
        .map(|value| match value {
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::Bool(_) => "boolean",
            Value::String(_) => "string",
            _ => "other",
        })
        .collect();
    let numbers = ["number", "integer"];
    let name = if types.iter().all(|name| numbers.contains(name)) {
        types.last().copied()
    } else if types.len() == 1 {
        types.first().copied()
    } else {
        None
    };
    let is_wide = match name {
        Some("number" | "integer" | "boolean") => true,
        Some("string") => {
            let mut names = BTreeSet::new();
            let own = |value: &Value| pascal(value.as_str().unwrap_or_default()).to_lowercase();
            !values.iter().map(own).all(|name| !name.is_empty() && names.insert(name))
        }
        _ => false,
    };
    if let Some(name) = name.filter(|_| is_wide) {
        schema.remove("const");
        schema.remove("enum");
        schema.insert("type".into(), json!(name));
    }
}
