//! Defaults that JSON cannot write: serde_json writes an infinite number, and NaN, as `null`.
//!
//! schemars copies serde_json's output into the schema, so that a number's default reads `null`, which the number's schema does
//! not allow. Such a default is removed: the member stays optional, and then has the Rust value.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::build::Direction;
use super::rekey::visit_schemas;
use super::schema::walk;
use super::walk::fits;
use super::{AgentDef, TypesDef};

/// Removes such defaults from a standalone schema.
pub(super) fn remove_from_root(root: &mut Value) {
    let places = places(root, root);
    remove(root, &places);
}

/// Removes such defaults from a manifest's schemas.
pub(super) fn remove_from_manifest(agents: &mut [AgentDef], types: &mut TypesDef) {
    let definitions = |types: &TypesDef| -> Vec<Value> {
        types.out.values().chain(types.input.values()).cloned().collect()
    };
    let mut is_due = definitions(types).iter().any(has_null_default);
    for agent in agents.iter_mut() {
        visit_schemas(agent, &mut |schema, _| is_due |= has_null_default(schema));
    }
    if !is_due {
        return;
    }
    // The references are JSON Pointers into the manifest.
    let root = json!({"types": {"out": types.out, "in": types.input}});
    let mut mend = |schema: &mut Value, _: Direction| {
        let places = places(&root, schema);
        remove(schema, &places);
    };
    agents.iter_mut().for_each(|agent| visit_schemas(agent, &mut mend));
    types.out.values_mut().for_each(|schema| mend(schema, Direction::Out));
    types.input.values_mut().for_each(|schema| mend(schema, Direction::In));
}

fn has_null_default(schema: &Value) -> bool {
    let mut found = false;
    walk(schema, &mut |_, object| found |= null_default(object).is_some());
    found
}

/// Returns a schema's default, if the default contains a `null`.
fn null_default(schema: &Map<String, Value>) -> Option<&Value> {
    schema.get("default").filter(|default| has_null(default))
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Returns the pointers to schemas in `schema` that do not allow their own default, because of a `null`.
fn places(root: &Value, schema: &Value) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    walk(schema, &mut |path, object| {
        let whole = || {
            schema
                .pointer(path)
                .is_some_and(|at| null_default(object).is_some_and(|null| !fits(root, at, null)))
        };
        if null_default(object).is_some() && whole() {
            places.insert(path.to_owned());
        }
    });
    places
}

fn remove(schema: &mut Value, places: &BTreeSet<String>) {
    for place in places {
        if let Some(Value::Object(object)) = schema.pointer_mut(place) {
            // The other keywords keep their order.
            object.retain(|keyword, _| keyword != "default");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_defaults_that_their_schema_refuses_are_left_out() {
        let mut schema = json!({
            "$defs": {
                "Range": {
                    "type": "object",
                    "properties": {
                        "from": {"type": "number", "default": 0.0},
                        "to": {"type": "number", "default": null},
                        "note": {"type": ["string", "null"], "default": null},
                    },
                },
            },
            "properties": {
                "range": {"$ref": "#/$defs/Range", "default": {"from": 0.0, "to": null, "note": null}},
                "open": {"$ref": "#/$defs/Range", "default": {"from": 0.0, "note": null}},
                "some": {"anyOf": [{"$ref": "#/$defs/Range"}, {"type": "null"}], "default": null},
                "list": {"type": "array", "items": {"type": "number"}, "default": [1.0, null]},
                "any": {"default": null},
                "default": {"type": "number"},
            },
        });
        remove_from_root(&mut schema);
        let defaults = |pointer: &str| schema.pointer(pointer).unwrap().get("default").cloned();
        for refused in ["/$defs/Range/properties/to", "/properties/range", "/properties/list"] {
            assert_eq!(defaults(refused), None, "{refused}");
        }
        assert_eq!(defaults("/$defs/Range/properties/from"), Some(json!(0.0)));
        assert_eq!(defaults("/properties/open"), Some(json!({"from": 0.0, "note": null})));
        for null in ["/$defs/Range/properties/note", "/properties/some", "/properties/any"] {
            assert_eq!(defaults(null), Some(Value::Null), "{null}");
        }
        assert!(schema.pointer("/properties/default").is_some());
    }
}
