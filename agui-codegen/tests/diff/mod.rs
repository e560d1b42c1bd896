//! The reports of `diff` about two manifests, and the compatibility of the changes that it calls compatible.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod agents;
mod values;

use agui_codegen::{DiffOptions, Manifest, ManifestChange, diff, is_breaking};
use serde_json::{Value, json};

/// A manifest of one agent, whose state is `schema` in both directions and whose tools and events are given.
fn manifest(schema: &Value, types: &Value, tools: &Value, events: &Value) -> Manifest {
    let into = |value: &Value, way: &str| -> Value {
        serde_json::from_str(&value.to_string().replace("#/types/", &format!("#/types/{way}/"))).unwrap()
    };
    let value = json!({
        "agui_manifest": 1,
        "generator": "test",
        "crate": {"name": "shop", "version": "0.1.0"},
        "agents": [{
            "name": "shop", "description": "", "version": "0.1.0", "rust": "shop",
            "state": {"out": into(schema, "out"), "in": into(schema, "in")},
            "tools": tools, "events": events,
        }],
        "types": {"out": into(types, "out"), "in": into(types, "in")},
        "hash": {"wire": "", "full": ""},
    });
    Manifest::from_json(&value.to_string()).unwrap()
}

fn state(schema: &Value, types: &Value) -> Manifest {
    manifest(schema, types, &json!([]), &json!([]))
}

fn lines(changes: &[ManifestChange]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// Changes of the type of the state, and the report about each.
#[test]
fn changes_of_a_type() {
    let text = json!({"type": "string"});
    let number = |min: i64, max: i64| json!({"type": "integer", "minimum": min, "maximum": max});
    let one_of = |values: &[&str]| json!({"enum": values});
    let tagged = |names: &[&str]| -> Value {
        let variants: Vec<Value> = names
            .iter()
            .map(|name| object(&json!({"kind": {"const": name}, "x": text}), &["kind"]))
            .collect();
        json!({"oneOf": variants})
    };
    let status = |schema: &Value| object(&json!({"status": schema}), &["status"]);
    let rows: Vec<(&str, Value, Value, &[&str])> = vec![
        ("nothing", status(&text), status(&text), &[]),
        (
            "a new member that has to be there",
            object(&json!({}), &[]),
            object(&json!({"owner": text}), &["owner"]),
            &["breaking (wire) shop: IN: the state $.owner: is missing, and the reader needs it"],
        ),
        (
            "a new member that may be there",
            object(&json!({}), &[]),
            object(&json!({"owner": text}), &[]),
            &[],
        ),
        (
            "a member that no longer exists",
            object(&json!({"owner": text}), &["owner"]),
            object(&json!({}), &[]),
            &["breaking (wire) shop: OUT: the state $.owner: is missing, and the reader needs it"],
        ),
        (
            "a member that need not be there any more",
            object(&json!({"owner": text}), &["owner"]),
            object(&json!({"owner": text}), &[]),
            &["breaking (wire) shop: OUT: the state $.owner: may be missing, and the reader needs it"],
        ),
        (
            "a value more",
            status(&one_of(&["open"])),
            status(&one_of(&["open", "done"])),
            &[
                "warning (wire) shop: OUT: the state $.status: `\"done\"` is sent, which the reader does not know",
            ],
        ),
        (
            "a value less",
            status(&one_of(&["open", "done"])),
            status(&one_of(&["open"])),
            &[
                "breaking (wire) shop: IN: the state $.status: `\"done\"` is sent, which the reader does not know",
            ],
        ),
        (
            "an alternative more",
            status(&tagged(&["a", "c"])),
            status(&tagged(&["a", "b", "c"])),
            &[
                "warning (wire) shop: OUT: the state $.status: `{\"kind\": \"b\"}` is sent, which the reader does not know",
            ],
        ),
        (
            "another type",
            status(&text),
            status(&number(0, 9)),
            &[
                "breaking (wire) shop: OUT: the state $.status: a whole number is sent where a text is read",
                "breaking (wire) shop: IN: the state $.status: a text is sent where a whole number is read",
            ],
        ),
        (
            "null as well",
            status(&text),
            status(&json!({"type": ["string", "null"]})),
            &["breaking (wire) shop: OUT: the state $.status: `null` is sent where a text is read"],
        ),
        (
            "a wider number",
            status(&number(0, 255)),
            status(&number(0, 65535)),
            &["breaking (wire) shop: OUT: the state $.status: a number greater than 255 may be sent"],
        ),
        (
            "a narrower number",
            status(&number(0, 255)),
            status(&json!({"type": "integer", "minimum": 1, "format": "uint8"})),
            &["breaking (wire) shop: IN: the state $.status: a number less than 1 may be sent"],
        ),
        (
            "a fraction",
            status(&json!({"type": "integer"})),
            status(&json!({"type": "number"})),
            &["breaking (wire) shop: OUT: the state $.status: a number that is not whole may be sent"],
        ),
        (
            "strangers refused",
            object(&json!({"a": text}), &[]),
            json!({"type": "object", "properties": {"b": text}, "additionalProperties": false}),
            &[
                "breaking (wire) shop: IN: the state $.a: is sent, and the reader refuses members it does not know",
            ],
        ),
        (
            "a pattern",
            status(&text),
            status(&json!({"type": "string", "pattern": "^x"})),
            &["breaking (wire) shop: IN: the state $.status: the reader requires `pattern` to be \"^x\""],
        ),
        (
            "items and places",
            status(&json!({"type": "array", "items": text})),
            status(&json!({"type": "array", "prefixItems": [text, text], "minItems": 2, "maxItems": 2})),
            &[
                "breaking (wire) shop: IN: the state $.status: fewer than 2 items may be sent",
                "breaking (wire) shop: IN: the state $.status: more than 2 items may be sent",
            ],
        ),
        (
            "values of a map",
            json!({"type": "object", "additionalProperties": text}),
            json!({"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}),
            &["breaking (wire) shop: IN: the state $.*: a string of more than 3 characters may be sent"],
        ),
        (
            "a member that is not named as others are",
            object(&json!({"a b": {"type": "array", "items": text}}), &["a b"]),
            object(&json!({"a b": {"type": "array", "items": {"type": "boolean"}}}), &["a b"]),
            &[
                "breaking (wire) shop: OUT: the state $[\"a b\"][]: true or false is sent where a text is read",
                "breaking (wire) shop: IN: the state $[\"a b\"][]: a text is sent where true or false is read",
            ],
        ),
    ];
    for (what, old, new, expected) in rows {
        let (old, new) = (state(&old, &json!({})), state(&new, &json!({})));
        assert_eq!(lines(&diff(&old, &new, DiffOptions::default()).unwrap()), expected, "{what}");
        assert_eq!(diff(&new, &new, DiffOptions::default()).unwrap(), [], "{what}");
    }
}

#[test]
fn a_new_value_breaks_closed_readers() {
    let values = |values: &[&str]| state(&json!({"enum": values}), &json!({}));
    let (old, new) = (values(&["a"]), values(&["a", "b"]));
    let warned = diff(&old, &new, DiffOptions::default()).unwrap();
    assert!(!is_breaking(&warned) && warned.len() == 1);
    let closed = DiffOptions { closed: true, ..DiffOptions::default() };
    assert!(is_breaking(&diff(&old, &new, closed).unwrap()));
}

/// A type that contains itself is compared once, and a difference deep inside is found.
#[test]
fn types_that_contain_themselves() {
    let tree = |leaf: &Value| {
        let children = json!({"type": "array", "items": {"$ref": "#/types/Tree"}});
        let twig = object(&json!({"tree": {"$ref": "#/types/Tree"}, "leaf": leaf}), &["tree", "leaf"]);
        json!({
            "Tree": object(&json!({"children": children, "twig": {"anyOf": [{"$ref": "#/types/Twig"}, {"type": "null"}]}}), &["children", "twig"]),
            "Twig": twig,
        })
    };
    let root = json!({"$ref": "#/types/Tree"});
    let old = state(&root, &tree(&json!({"type": "string"})));
    let renamed: Value = serde_json::from_str(
        &tree(&json!({"type": "string"})).to_string().replace("Twig", "Branch").replace("Tree", "Plant"),
    )
    .unwrap();
    let same = state(&json!({"$ref": "#/types/Plant"}), &renamed);
    assert_eq!(diff(&old, &same, DiffOptions::default()).unwrap(), [], "names do not travel");
    let wider = state(&root, &tree(&json!({"type": ["string", "null"]})));
    assert_eq!(
        lines(&diff(&old, &wider, DiffOptions::default()).unwrap()),
        [
            "breaking (wire) shop: OUT: the state $.children[].twig.leaf: `null` is sent where a text is read",
            "breaking (wire) shop: OUT: the state $.twig.leaf: `null` is sent where a text is read",
        ]
    );
}

/// A type that is only a reference to itself. Rust has none, but a manifest may hold one.
#[test]
fn types_that_are_part_of_themselves() {
    let (knot, text) = (json!({"$ref": "#/types/Knot"}), json!({"type": "string"}));
    let book = state(&object(&json!({"pages": text}), &[]), &json!({}));
    for types in [
        knot.clone(),
        json!({"allOf": [knot, knot]}),
        json!({"anyOf": [knot, knot, text]}),
        json!({"allOf": [knot, knot], "type": "object", "properties": {"x": {"oneOf": [knot, knot]}}}),
    ] {
        let knots = state(&knot, &json!({ "Knot": types }));
        assert_eq!(diff(&knots, &knots, DiffOptions::default()).unwrap(), []);
        for (old, new) in [(&knots, &book), (&book, &knots)] {
            assert!(is_breaking(&diff(old, new, DiffOptions::default()).unwrap()), "{types}");
        }
    }
}
