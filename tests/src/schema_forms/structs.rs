//! Structs, and the attributes of serde on them.

use agui_runtime::model::SchemaDialect::{AnthropicStrict, Gemini, OpenAiStrict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::enums::Payment;
use super::{Form, Of, form, of};

#[derive(JsonSchema, Serialize, Deserialize)]
struct Order {
    /// The dish.
    name: String,
    count: Option<u8>,
    extras: Vec<String>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Defaulted {
    #[serde(default)]
    count: u8,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Metres(u8);

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(transparent)]
struct Wrapped {
    metres: Metres,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Nothing;

#[derive(JsonSchema, Serialize, Deserialize)]
struct Empty {}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    first_name: String,
    #[serde(rename = "last-name", alias = "surname")]
    last_name: String,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    x: u8,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Skipping {
    shown: u8,
    #[serde(skip)]
    #[allow(dead_code, reason = "serde skips it")]
    hidden: u8,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Head {
    id: u8,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    head: Head,
    text: String,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct FlatEnum {
    id: u8,
    #[serde(flatten)]
    payment: Payment,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct FlatMap {
    id: u8,
    #[serde(flatten)]
    more: std::collections::BTreeMap<String, Value>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Deprecated {
    #[deprecated]
    old: u8,
}

pub(super) fn forms() -> Vec<Form> {
    vec![
        form::<Order>(
            "struct",
            json!([{ "name": "rice", "count": null, "extras": [] }, { "name": "rice", "count": 2, "extras": ["salt"] }]),
            json!([{ "name": 7, "count": 1, "extras": [] }, { "count": 1, "extras": [] }]),
        ),
        form::<Defaulted>("default", json!({ "count": 1 }), json!({ "count": "1" }))
            .lacking(OpenAiStrict, "/properties/count"),
        form::<Of<Metres>>("newtype", of(5), of("5")),
        form::<Of<Wrapped>>("transparent", of(5), of(json!({ "metres": 5 }))),
        form::<Of<Nothing>>("unit struct", of(Value::Null), of(1)).lacking(Gemini, "/properties/value/type"),
        form::<Of<()>>("unit", of(Value::Null), of(json!({}))).lacking(Gemini, "/properties/value/type"),
        form::<Empty>("no arguments", json!({}), json!(7)),
        form::<Of<Empty>>("empty struct", of(json!({})), of(7))
            .lacking_in(&[OpenAiStrict, AnthropicStrict], "/$defs/Empty")
            .lacking(Gemini, "/properties/value"),
        form::<Renamed>(
            "rename_all, rename and alias",
            json!({ "firstName": "Ada", "last-name": "Lovelace" }),
            json!({ "first_name": "Ada", "last_name": "Lovelace" }),
        ),
        form::<Closed>("deny_unknown_fields", json!({ "x": 1 }), json!({ "x": 1, "y": 2 })),
        form::<Of<Closed>>(
            "deny_unknown_fields inside",
            of(json!({ "x": 1 })),
            of(json!({ "x": 1, "y": 2 })),
        ),
        form::<Skipping>("skip", json!({ "shown": 1 }), json!({ "hidden": 1 })),
        form::<Flat>("flatten", json!({ "id": 1, "text": "a" }), json!({ "text": "a" })),
        form::<Of<Flat>>(
            "flatten inside",
            of(json!({ "id": 1, "text": "a" })),
            of(json!({ "head": { "id": 1 }, "text": "a" })),
        ),
        form::<Of<FlatEnum>>(
            "flatten of an enum",
            of(json!({ "id": 1, "kind": "Cash", "cents": 5 })),
            of(json!({ "id": 1, "kind": "Cash" })),
        ),
        form::<Of<FlatMap>>(
            "flatten of a map",
            of(json!({ "id": 1, "more": true })),
            of(json!({ "more": true })),
        )
        .lacking_in(&[OpenAiStrict, AnthropicStrict], "/$defs/FlatMap/additionalProperties")
        .lacking(Gemini, "/properties/value/additionalProperties"),
        form::<Deprecated>("deprecated", json!({ "old": 1 }), json!({ "old": "1" })),
    ]
}
