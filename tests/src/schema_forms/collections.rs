//! Lists, sets, tuples, maps, and types that contain themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use agui_runtime::model::SchemaDialect::{AnthropicStrict, Gemini, OpenAiStrict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Form, Of, SUBSETS, form, of};

#[derive(JsonSchema, Serialize, Deserialize)]
struct Tree {
    children: Vec<Tree>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Forest {
    first: Tree,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Pair(u8, String);

pub(super) fn forms() -> Vec<Form> {
    vec![
        form::<Of<BTreeSet<String>>>("set", of(json!(["a"])), of(json!([1]))),
        form::<Of<VecDeque<bool>>>("queue", of(json!([true])), of(json!([1]))),
        form::<Of<Vec<Vec<i16>>>>("list of lists", of(json!([[1], []])), of(json!([1]))),
        form::<Of<Option<Vec<i16>>>>(
            "optional list",
            json!([of(Value::Null), of(json!([1]))]),
            of(json!(["1"])),
        ),
        form::<Of<[bool; 2]>>("array", of(json!([true, false])), of(json!([true]))),
        form::<Of<(u8, String)>>("tuple", of(json!([1, "a"])), of(json!(["a", 1])))
            .lacking_in(&SUBSETS, "/properties/value/prefixItems"),
        form::<Of<Pair>>("tuple struct", of(json!([1, "a"])), of(json!([1])))
            .lacking_in(&[OpenAiStrict, AnthropicStrict], "/$defs/Pair/prefixItems")
            .lacking(Gemini, "/properties/value/prefixItems"),
        form::<Of<HashMap<String, u8>>>("map", of(json!({ "a": 1 })), of(json!({ "a": "1" })))
            .lacking_in(&SUBSETS, "/properties/value/additionalProperties"),
        form::<Of<BTreeMap<u32, String>>>(
            "map with integer keys",
            of(json!({ "1": "a" })),
            of(json!({ "a": "a" })),
        )
        .lacking_in(&SUBSETS, "/properties/value/patternProperties"),
        form::<Of<Value>>("any value", of(7), json!({})).lacking_in(&SUBSETS, "/properties/value"),
        form::<Tree>("recursion", json!({ "children": [{ "children": [] }] }), json!({ "children": [7] }))
            .lacking_in(&[AnthropicStrict, Gemini], "/properties/children/items"),
        form::<Chain>(
            "recursion through an option",
            json!({ "next": { "next": null } }),
            json!({ "next": 7 }),
        )
        .lacking(AnthropicStrict, "/properties/next/anyOf/0")
        .lacking(Gemini, "/properties/next/anyOf/0"),
        form::<Forest>("inner recursion", json!({ "first": { "children": [] } }), json!({ "first": 7 }))
            .lacking(AnthropicStrict, "/$defs/Tree")
            .lacking(Gemini, "/properties/first/properties/children/items"),
    ]
}
