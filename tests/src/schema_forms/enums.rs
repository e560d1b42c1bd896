//! Enums, in each way in which serde tags them, and other unions.

use agui_runtime::model::SchemaDialect::{Anthropic, AnthropicStrict, Gemini, OpenAi, OpenAiStrict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Form, Of, form, of};

#[derive(JsonSchema, Serialize, Deserialize)]
enum Size {
    Small,
    Large,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Described {
    /// One person eats it.
    ForOne,
    /// Several people eat it.
    ForAll,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub(super) enum Payment {
    Cash { cents: u16 },
    Card { number: String },
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Card {
    number: String,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Newtypes {
    Card(Card),
    Nothing,
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum External {
    Nothing,
    Text(String),
    Point { x: i16, y: i16 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Pairs {
    Pair(u8, String),
    Text(String),
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    Text(String),
    Point { x: i16, y: i16 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i16),
    Text(String),
    Point { x: i16, y: i16 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Overlapping {
    Both { x: i16, y: i16 },
    One { x: i16 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Shape {
    Dot,
    Group { of: Vec<Shape> },
}

pub(super) fn forms() -> Vec<Form> {
    [plain(), with_data(), at_the_root()].into_iter().flatten().collect()
}

fn plain() -> Vec<Form> {
    vec![
        form::<Of<Size>>("unit enum", of("Small"), of("Huge")),
        form::<Of<Described>>("described unit enum", of("for-one"), of("ForOne")),
        form::<Of<Option<Size>>>("optional unit enum", json!([of(Value::Null), of("Large")]), of("Huge")),
        form::<Of<Option<Payment>>>("optional enum", of(Value::Null), of(7)),
        form::<Of<Vec<Payment>>>("list of enums", json!([of(json!([]))]), of(json!([7])))
            .lacking(Gemini, "/properties/value/items"),
    ]
}

fn with_data() -> Vec<Form> {
    let point = json!({ "x": 1, "y": -1 });
    vec![
        form::<Of<Payment>>(
            "internally tagged enum",
            json!([of(json!({ "kind": "Cash", "cents": 5 })), of(json!({ "kind": "Card", "number": "5" }))]),
            json!([of(json!({ "kind": "Cash", "number": "5" })), of(json!({ "cents": 5 }))]),
        ),
        form::<Of<Newtypes>>(
            "internally tagged enum of structs",
            json!([of(json!({ "kind": "Card", "number": "5" })), of(json!({ "kind": "Nothing" }))]),
            json!([of(json!({ "kind": "Card" })), of(json!({ "number": "5" }))]),
        ),
        form::<Of<External>>(
            "externally tagged enum",
            json!([of("Nothing"), of(json!({ "Text": "a" })), of(json!({ "Point": point }))]),
            json!([
                of("Text"),
                of(json!({ "Point": { "x": 1 } })),
                of(json!({ "Text": "a", "Point": point }))
            ]),
        ),
        form::<Of<Pairs>>(
            "externally tagged tuple",
            json!([of(json!({ "Pair": [1, "a"] })), of(json!({ "Text": "a" }))]),
            of(json!({ "Pair": ["a", 1] })),
        )
        .lacking_in(&[OpenAiStrict, AnthropicStrict], "/$defs/Pairs/oneOf/0/properties/Pair/prefixItems")
        .lacking(Gemini, "/properties/value/oneOf/0/properties/Pair/prefixItems"),
        form::<Of<Adjacent>>(
            "adjacently tagged enum",
            json!([
                of(json!({ "t": "Nothing" })),
                of(json!({ "t": "Text", "c": "a" })),
                of(json!({ "t": "Point", "c": point })),
            ]),
            json!([of(json!({ "t": "Text", "c": 7 })), of(json!({ "t": "Text" })), of("Nothing")]),
        ),
        form::<Of<Untagged>>(
            "untagged enum",
            json!([of(1), of("a"), of(point.clone())]),
            json!([of(true), of(json!({ "x": 1 }))]),
        ),
        form::<Of<Overlapping>>(
            "untagged enum whose alternatives overlap",
            json!([of(point), of(json!({ "x": 1 }))]),
            of(json!({ "y": 1 })),
        ),
        form::<Of<Result<u8, String>>>(
            "result",
            json!([of(json!({ "Ok": 1 })), of(json!({ "Err": "a" }))]),
            of(1),
        ),
        form::<Of<Shape>>(
            "recursion through an enum",
            json!([of("Dot"), of(json!({ "Group": { "of": ["Dot", { "Group": { "of": [] } }] } }))]),
            of(json!({ "Group": { "of": [7] } })),
        )
        .lacking(AnthropicStrict, "/$defs/Shape")
        .lacking(Gemini, "/properties/value/oneOf/1/properties/Group/properties/of/items"),
    ]
}

fn at_the_root() -> Vec<Form> {
    let providers = [OpenAi, OpenAiStrict, Anthropic, AnthropicStrict, Gemini];
    vec![
        form::<Payment>("enum at the root", json!({ "kind": "Cash", "cents": 5 }), json!({ "cents": 5 }))
            .lacking_in(&providers, "/oneOf"),
        form::<Untagged>("untagged enum at the root", json!(1), json!(true)).lacking_in(&providers, "/anyOf"),
        form::<String>("text at the root", json!("a"), json!(7)).lacking_in(&providers, ""),
    ]
}
