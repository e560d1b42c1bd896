//! `flatten`: structs, maps and enums merged into an object.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Case, Shapes};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Meta {
    /// The author.
    author: String,
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithStruct {
    id: u32,
    #[serde(flatten)]
    meta: Meta,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithTypedMap {
    id: u32,
    note: Option<String>,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithAnyMap {
    id: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Kind {
    Book { pages: u16 },
    Film { minutes: u16 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Binding {
    Soft,
    Hard { colour: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithTagged {
    title: String,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithTwo {
    title: String,
    #[serde(flatten)]
    kind: Kind,
    #[serde(flatten)]
    binding: Binding,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithOptionalStruct {
    id: u32,
    #[serde(flatten)]
    meta: Option<Meta>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithOptionalEnum {
    id: u32,
    #[serde(flatten)]
    kind: Option<Kind>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct OnlyEnum {
    #[serde(flatten)]
    kind: Kind,
}

pub(super) fn case() -> Case {
    let meta = || Meta { author: "Ada".into(), tags: vec!["x".into()] };
    let book = || Kind::Book { pages: 3 };
    Shapes::new("flatten", "Objects poured into objects.")
        .shape(
            "with_struct",
            [WithStruct { id: 1, meta: meta() }],
            [json!({"id": 1}), json!({"id": 1, "author": "Ada", "tags": [1]})],
        )
        .two_faced(
            "with_typed_map",
            [
                WithTypedMap { id: 1, note: None, rest: BTreeMap::new() },
                WithTypedMap {
                    id: 1,
                    note: Some("n".into()),
                    rest: BTreeMap::from([("k".into(), "v".into())]),
                },
            ],
            [json!({"id": 1, "k": "v"})],
            [json!({"id": 1, "note": null, "k": 1}), json!({"k": "v", "note": null})],
        )
        .shape(
            "with_any_map",
            [WithAnyMap { id: 1, rest: BTreeMap::from([("k".into(), json!([1, null]))]) }],
            [json!({"k": 1})],
        )
        .shape(
            "with_tagged",
            [
                WithTagged { title: "T".into(), kind: book() },
                WithTagged { title: "T".into(), kind: Kind::Film { minutes: 90 } },
            ],
            [
                json!({"title": "T"}),
                json!({"title": "T", "kind": "Book"}),
                json!({"kind": "Book", "pages": 1}),
            ],
        )
        .shape(
            "with_two",
            [
                WithTwo { title: "T".into(), kind: book(), binding: Binding::Soft },
                WithTwo { title: "T".into(), kind: book(), binding: Binding::Hard { colour: "red".into() } },
            ],
            [json!({"title": "T", "kind": "Book", "pages": 1}), json!({"title": "T", "Soft": null})],
        )
        .two_faced(
            "with_optional_struct",
            [WithOptionalStruct { id: 1, meta: None }, WithOptionalStruct { id: 1, meta: Some(meta()) }],
            [json!({"id": 1, "author": "Ada", "tags": []})],
            [json!({})],
        )
        .shape(
            "with_optional_enum",
            [WithOptionalEnum { id: 1, kind: None }, WithOptionalEnum { id: 1, kind: Some(book()) }],
            [json!({"kind": "Book", "pages": 1})],
        )
        .shape("only_enum", [OnlyEnum { kind: book() }], [json!({}), json!({"kind": "Book"})])
        .finish()
}
