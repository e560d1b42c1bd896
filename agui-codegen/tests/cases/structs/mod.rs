//! Structs: fields present, absent, renamed, documented, and named like words of other languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Case, Shapes};

/// A to-do on the list.
///
/// Ends a comment */ and a docstring """ and a `template ${literal}` \ with a backslash.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Todo {
    /// The task.
    what_to_do: String,
    done: bool,
    /// The reason, if there is one.
    why: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sub_tasks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<Due>,
    /// How urgent.
    ///
    /// - 0 is not at all
    /// - 9 is very
    #[serde(default = "five")]
    urgency: u8,
    #[serde(skip)]
    #[allow(dead_code)]
    cache: u64,
    #[deprecated]
    owner_name: Option<String>,
}

fn five() -> u8 {
    5
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Due {
    year: i32,
    day: u16,
}

/// No other member is allowed.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    id: u32,
    #[serde(default)]
    label: Option<String>,
}

/// Members with reserved names of other languages.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct Awkward {
    r#type: String,
    class: u8,
    str: String,
    int: i32,
    list: Vec<String>,
    copy: bool,
    json: String,
    schema: String,
    model_config: String,
    model_dump: String,
    self_: String,
    #[serde(rename = "None")]
    none: bool,
    constructor: String,
    #[serde(rename = "total-bytes")]
    total_bytes: u32,
    #[serde(rename = "9 lives")]
    lives: u8,
    #[serde(rename = "it's \"quoted\"\\")]
    quoted: bool,
    #[serde(rename = "größe")]
    size: u8,
    #[serde(rename = "_hidden")]
    hidden: u8,
    #[serde(rename = "twoWords")]
    two_words_camel: u8,
    two_words: u8,
    #[serde(rename = "")]
    empty: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Empty {}

/// One page of results.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Page_of_{T}")]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

/// Any value.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Loose {
    value: Value,
    #[serde(default)]
    maybe: Option<Value>,
    nested: Option<Option<u8>>,
}

/// A type with the name of a built-in one.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Record")]
struct Shadow {
    any: Any,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Any {
    field: String,
}

#[allow(deprecated)]
pub(super) fn case() -> Case {
    let todo = |why: Option<&str>| Todo {
        what_to_do: "water the plants".into(),
        done: false,
        why: why.map(Into::into),
        sub_tasks: why.map(Into::into).into_iter().collect(),
        due: why.map(|_| Due { year: 2026, day: 12 }),
        urgency: 3,
        cache: 0,
        owner_name: None,
    };
    Shapes::new("structs", "Structs and their fields.")
        .two_faced(
            "todo",
            [todo(None), todo(Some("they wilt"))],
            [
                json!({"whatToDo": "x", "done": true}),
                json!({"whatToDo": "x", "done": true, "why": null, "due": null}),
            ],
            [
                json!({"done": true}),
                json!({"whatToDo": 1, "done": true}),
                json!({"whatToDo": "x", "done": "yes"}),
                json!({"whatToDo": "x", "done": true, "urgency": 256}),
                json!({"whatToDo": "x", "done": true, "due": {"year": 1}}),
                json!([]),
                json!(null),
            ],
        )
        .shape(
            "strict",
            [Strict { id: 1, label: None }, Strict { id: 2, label: Some("two".into()) }],
            [json!({"id": 1, "label": null, "more": 1}), json!({"id": -1, "label": null})],
        )
        .shape("awkward", [Awkward::default()], [json!({})])
        .shape("empty", [Empty {}], [json!("text")])
        .shape(
            "page",
            [Page { items: vec![Due { year: 1, day: 2 }], next: None }],
            [json!({"items": [1], "next": null})],
        )
        .two_faced(
            "loose",
            [
                Loose { value: json!({"a": [1, null, "x"]}), maybe: Some(json!(1)), nested: None },
                Loose { value: json!(null), maybe: None, nested: Some(Some(1)) },
            ],
            [json!({"value": [], "nested": 1})],
            [json!({"maybe": 1, "nested": null}), json!({"value": 1, "nested": 300})],
        )
        .shape("shadow", [Shadow { any: Any { field: "x".into() } }], [json!({"any": 1})])
        .finish()
}
