//! Compares the engine's JSON with serde's JSON, which is the reference.
//!
//! `#[derive(State)]` writes what serde's own derives write. A type with another `Serialize` (serde_repr, serde_with, by hand) is
//! written in another form, which neither the macro nor the compiler can see.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::engine::JsonOut;
use super::{State, StateError};

/// Compares an engine text with serde's text. Member order and number notation do not matter.
///
/// # Errors
/// [`StateError::WrittenOtherwise`] with the first difference; [`StateError::Json`] when serde cannot write the value.
pub(crate) fn check_serde_form<T: State>(value: &T, written: &str) -> Result<(), StateError> {
    let mut out = JsonOut::default();
    out.serde(value);
    compare(&out.finish()?, written, || (std::any::type_name::<T>(), schema::<T>()))
}

/// Writes a value with the engine, and compares the text with serde's.
pub(crate) fn check_state_form<T: State>(value: &T) -> Result<(), StateError> {
    let mut out = JsonOut::default();
    value.write(&mut out);
    check_serde_form(value, &out.finish()?)
}

fn schema<T: schemars::JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

fn compare(
    serde: &str,
    written: &str,
    describe: impl FnOnce() -> (&'static str, Value),
) -> Result<(), StateError> {
    if serde == written {
        return Ok(());
    }
    let (serde, written): (Value, Value) = (serde_json::from_str(serde)?, serde_json::from_str(written)?);
    let mut path = Vec::new();
    let Some((serde, written)) = difference(&serde, &written, &mut path) else { return Ok(()) };
    let (root, schema) = describe();
    let type_name = type_at(&schema, &path).unwrap_or_else(|| root.to_owned());
    let path = path.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect();
    Err(StateError::WrittenOtherwise { path, type_name, serde: serde.into(), written: written.into() })
}

/// Returns the innermost values that differ. Objects with different members, and arrays with different lengths, differ as wholes.
fn difference(serde: &Value, written: &Value, path: &mut Vec<String>) -> Option<(Value, Value)> {
    let mut inside = |name: String, serde: &Value, written: &Value| {
        path.push(name);
        let found = difference(serde, written, path);
        if found.is_none() {
            path.pop();
        }
        found
    };
    match (serde, written) {
        (Value::Object(serde), Value::Object(written))
            if serde.len() == written.len() && serde.keys().all(|name| written.contains_key(name)) =>
        {
            let mut both = serde.iter().filter_map(|(name, value)| Some((name, value, written.get(name)?)));
            both.find_map(|(name, serde, written)| inside(name.clone(), serde, written))
        }
        (Value::Array(serde), Value::Array(written)) if serde.len() == written.len() => {
            let mut both = serde.iter().zip(written).enumerate();
            both.find_map(|(i, (serde, written))| inside(i.to_string(), serde, written))
        }
        _ => (!crate::json::same(serde, written)).then(|| (serde.clone(), written.clone())),
    }
}

/// Returns the innermost named type whose schema describes the value at the path.
fn type_at(root: &Value, path: &[String]) -> Option<String> {
    let mut found = None;
    let mut places = vec![root];
    resolve(root, &mut places, &mut found);
    for name in path {
        places = places.iter().flat_map(|schema| parts(schema, name)).collect();
        resolve(root, &mut places, &mut found);
    }
    found
}

/// Replaces references and unions by the schemas that they stand for, and notes the last name.
fn resolve<'s>(root: &'s Value, places: &mut Vec<&'s Value>, found: &mut Option<String>) {
    let mut seen = std::collections::HashSet::new();
    let mut i = 0;
    while let Some(schema) = places.get(i).copied() {
        i += 1;
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str)
            && seen.insert(reference)
        {
            let name = reference.strip_prefix("#/$defs/");
            *found = name.map(str::to_owned);
            places.extend(name.map_or(Some(root), |name| root.get("$defs")?.get(name)));
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            places.extend(schema.get(key).and_then(Value::as_array).into_iter().flatten());
        }
    }
}

/// The schemas that describe a member or an element.
fn parts<'s>(schema: &'s Value, name: &str) -> Vec<&'s Value> {
    let member = schema.get("properties").and_then(|properties| properties.get(name));
    let fixed = || schema.get("prefixItems")?.get(name.parse::<usize>().ok()?);
    let others = ["items", "additionalProperties"].iter().filter_map(|key| schema.get(key));
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    match member.or_else(fixed) {
        Some(part) => vec![part],
        None => others.chain(patterns.into_iter().flat_map(serde_json::Map::values)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn place(serde: &Value, written: &Value) -> Option<String> {
        let mut path = Vec::new();
        difference(serde, written, &mut path).map(|_| path.join("/"))
    }

    #[test]
    fn the_innermost_difference_is_found() {
        assert_eq!(place(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1.0, {"b": 2}]})), None);
        assert_eq!(place(&json!({"a": [1, {"b": 2}]}), &json!({"a": [1, {"b": "2"}]})).unwrap(), "a/1/b");
        assert_eq!(place(&json!({"a": {"b": 2, "c": 3}}), &json!({"a": {"b": 2}})).unwrap(), "a");
        assert_eq!(place(&json!({"a": [1]}), &json!({"a": [1, 2]})).unwrap(), "a");
        assert_eq!(place(&json!(1), &json!("Low")).unwrap(), "");
    }

    #[test]
    fn the_nearest_type_with_a_name_is_found() {
        let root = json!({
            "properties": {
                "one": {"$ref": "#/$defs/Level"},
                "some": {"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]},
                "list": {"items": {"$ref": "#/$defs/Node"}},
                "map": {"additionalProperties": {"$ref": "#/$defs/Level"}},
                "numbered": {"additionalProperties": false, "patternProperties": {"^\\d+$": {"$ref": "#/$defs/Level"}}},
                "pair": {"prefixItems": [true, {"$ref": "#/$defs/Level"}]},
                "plain": {"type": "string"},
                "again": {"$ref": "#"},
            },
            "$defs": {
                "Level": {"type": "integer"},
                "Node": {"properties": {"next": {"$ref": "#/$defs/Node"}, "x": {"type": "integer"}}},
            },
        });
        let at = |path: &str| type_at(&root, &path.split('/').map(str::to_owned).collect::<Vec<_>>());
        for path in ["one", "some", "map/any", "numbered/7", "pair/1"] {
            assert_eq!(at(path).as_deref(), Some("Level"), "{path}");
        }
        assert_eq!(at("list/3/next/x").as_deref(), Some("Node"));
        assert_eq!(at("again/again/one").as_deref(), Some("Level"));
        assert_eq!((at("plain"), at("again/plain")), (None, None));
        assert_eq!(type_at(&root, &[]), None);
    }
}
