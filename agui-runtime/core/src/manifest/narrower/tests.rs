//! Schemas that are narrower in each keyword, and the comparison's law.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::manifest::structure::check_whole;
use crate::testing::sampled::cases;

fn said(contract: &Value, offered: &Value) -> String {
    narrower(contract, offered)
        .map_or_else(|| "covers".to_owned(), |Narrower { path, reason }| format!("{path}: {reason}"))
}

fn member(schema: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": schema }, "required": ["a"] })
}

#[test]
fn each_keyword_can_be_narrower() {
    let rows = [
        (json!({ "type": "string" }), json!({ "type": "integer" }), "a: it takes integer, not string"),
        (json!({ "type": "number" }), json!({ "type": "integer" }), "a: it takes integer, not number"),
        (json!({ "type": ["string", "null"] }), json!({ "type": "string" }), "a: it does not take null"),
        (json!({}), json!({ "type": "string" }), "a: it takes only string"),
        (json!({ "type": "string" }), json!({ "enum": ["x", "y"] }), r#"a: it takes only "x", "y""#),
        (json!({ "enum": ["x", "z"] }), json!({ "enum": ["x", "y"] }), r#"a: it does not take "z""#),
        (json!({ "type": "boolean" }), json!({ "const": true }), "a: it does not take false"),
        (
            json!({ "type": "integer" }),
            json!({ "type": "integer", "minimum": 1 }),
            "a: it takes no number below 1",
        ),
        (
            json!({ "type": "integer", "format": "uint8", "minimum": 0 }),
            json!({ "type": "integer", "exclusiveMaximum": 255 }),
            "a: it takes no number above 254",
        ),
        (
            json!({ "type": "number", "maximum": 1 }),
            json!({ "type": "number", "exclusiveMaximum": 1 }),
            "a: it takes no number above 1",
        ),
        (
            json!({ "type": "integer" }),
            json!({ "type": "integer", "multipleOf": 5 }),
            "a: it takes only values with the multipleOf 5",
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "pattern": "^a" }),
            r#"a: it takes only values with the pattern "^a""#,
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "minLength": 1 }),
            "a: it takes at least 1 characters",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "array", "items": { "type": "string" }, "maxItems": 3 }),
            "a: it takes at most 3 items",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "array", "uniqueItems": true }),
            "a: it takes only items that differ",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "array", "items": { "type": "integer" } }),
            "a[]: it takes integer, not string",
        ),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "string" }], "minItems": 1, "maxItems": 1 }),
            json!({ "type": "array", "prefixItems": [{ "type": "null" }] }),
            "a[0]: it takes only null",
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            "a.*: it takes integer, not string",
        ),
        (
            json!({ "type": "object" }),
            json!({ "type": "object", "properties": { "b": {} }, "required": ["b"] }),
            "a: it requires the member `b`",
        ),
        (
            json!({ "type": "object", "properties": { "b": {} } }),
            json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            "a: it has no member `b`",
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            json!({ "anyOf": [{ "type": "string", "maxLength": 9 }, { "type": "null" }] }),
            "a: it takes at most 9 characters",
        ),
    ];
    for (contract, offered, message) in rows {
        assert_eq!(said(&member(&contract), &member(&offered)), message);
        for schema in [contract, offered] {
            assert_eq!(said(&member(&schema), &member(&schema)), "covers", "{schema}");
        }
    }
    let never = member(&json!(false));
    assert_eq!(said(&member(&json!({})), &never), ".: it has no member `a`");
    assert_eq!(said(&never, &never), "covers");
}

/// The same arguments, as schemars and as Zod describe them.
#[test]
fn a_page_that_means_the_same_is_not_narrower() {
    let contract = json!({
        "type": "object",
        "properties": {
            "total": { "type": "integer", "format": "uint64", "minimum": 0 },
            "note": { "type": ["string", "null"] },
            "kind": { "oneOf": [{ "const": "gift" }, { "const": "loan" }] },
            "tree": { "$ref": "#/$defs/Tree" },
        },
        "required": ["total", "kind", "tree"],
        "$defs": { "Tree": { "type": "object", "properties": {
            "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
        }, "required": ["children"] } },
    });
    let offered = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "total": { "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64 },
            "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "kind": { "type": "string", "enum": ["gift", "loan"] },
            "tree": { "$ref": "#/definitions/tree" },
        },
        "required": ["total", "kind", "tree"],
        "additionalProperties": false,
        "definitions": { "tree": { "type": "object", "properties": {
            "children": { "type": "array", "items": { "allOf": [{ "$ref": "#/definitions/tree" }] } },
        }, "required": ["children"], "additionalProperties": false } },
    });
    assert_eq!(said(&contract, &offered), "covers");
    let mut offered = offered;
    offered["definitions"]["tree"]["required"] = json!(["children", "name"]);
    assert_eq!(said(&contract, &offered), "tree: it requires the member `name`");
}

#[test]
fn a_hostile_schema_ends() {
    for circle in [json!({ "$ref": "#" }), json!({ "allOf": [{ "$ref": "#" }] })] {
        assert_eq!(said(&json!({ "type": "string" }), &circle), "covers", "{circle}");
        assert_eq!(said(&circle, &circle), "covers", "{circle}");
    }
    let twice = |inner: Value| json!({ "anyOf": [inner.clone(), inner.clone(), inner] });
    let many = (0..10).fold(json!({ "type": "string" }), |inner, _| twice(inner));
    let said = said(&json!({ "type": "integer" }), &many);
    assert_eq!(said, ".: it has too many alternatives to be compared");
}

/// A schema, and a value that it allows.
fn schema_and_value() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        Just((json!({ "type": "null" }), json!(null))),
        (0..4_i64, 0..4_i64).prop_map(|(least, more)| {
            (json!({ "type": "integer", "minimum": least }), json!(least + more))
        }),
        (0..4_u64).prop_map(|most| (
            json!({ "type": "string", "maxLength": most }),
            json!("x".repeat(most as usize))
        )),
        Just((json!({ "enum": ["", "xx", 2] }), json!("xx"))),
        Just((json!({ "type": ["integer", "null"] }), json!(null))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone())
                .prop_map(|((one, value), (other, _))| (json!({ "anyOf": [one, other] }), value)),
            (inner.clone(), 0..3_usize).prop_map(|((items, value), n)| (
                json!({ "type": "array", "items": items }),
                json!(vec![value; n])
            )),
            (inner.clone(), inner, any::<bool>(), any::<bool>()).prop_map(
                |((a, value), (b, other), all, closed)| {
                    let required = if all { json!(["a", "b"]) } else { json!(["a"]) };
                    let schema = json!({
                        "type": "object", "properties": { "a": a, "b": b }, "required": required,
                        "additionalProperties": !closed,
                    });
                    (schema, if all { json!({ "a": value, "b": other }) } else { json!({ "a": value }) })
                }
            ),
        ]
    })
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// A contract value is also a value of every offer that is not narrower.
    #[test]
    fn an_offer_that_covers_the_contract_takes_its_values(
        (contract, value) in schema_and_value(),
        (offered, _) in schema_and_value(),
    ) {
        prop_assert_eq!(check_whole(&contract, &value), Ok(()));
        prop_assert_eq!(narrower(&contract, &contract), None);
        if narrower(&contract, &offered).is_none() {
            prop_assert_eq!(check_whole(&offered, &value), Ok(()), "{} {}", contract, offered);
        }
    }
}
