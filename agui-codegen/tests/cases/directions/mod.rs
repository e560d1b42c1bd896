//! Types that are written in one form and read in another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

/// Differs, because `Item` does.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Basket {
    items: Vec<Item>,
    same: Same,
}

/// May be read without `amount`.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    name: String,
    #[serde(default)]
    amount: u8,
}

/// The same in both directions.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Same {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Renamed {
    #[serde(rename(serialize = "writtenAs", deserialize = "readAs"))]
    field: u8,
    #[serde(alias = "old")]
    aliased: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct OneWay {
    both: u8,
    #[serde(skip_deserializing)]
    computed: u8,
    #[serde(skip_serializing, default)]
    secret: String,
}

/// A number that is written as a string and read as either.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", from = "Either")]
struct Amount(u32);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Text(String),
    Number(u32),
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.0.to_string()
    }
}

impl From<Either> for Amount {
    fn from(either: Either) -> Self {
        Self(match either {
            Either::Text(text) => text.parse().unwrap_or_default(),
            Either::Number(number) => number,
        })
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Growing {
    Old,
    #[serde(skip_deserializing)]
    WrittenOnly,
    #[serde(skip_serializing)]
    #[allow(dead_code)]
    ReadOnly(u8),
}

pub(super) fn case() -> Case {
    Shapes::new("directions", "What is read is not always what is written.")
        .two_faced(
            "basket",
            [Basket { items: vec![Item { name: "tea".into(), amount: 2 }], same: Same { note: None } }],
            [json!({"items": [{"name": "tea"}], "same": {}}), json!({"items": [], "same": {"note": null}})],
            [json!({"items": [{"amount": 1}], "same": {}})],
        )
        .two_faced(
            "renamed",
            [Renamed { field: 1, aliased: 2 }],
            [json!({"readAs": 1, "aliased": 2})],
            [json!({"aliased": 2})],
        )
        .two_faced(
            "one_way",
            [OneWay { both: 1, computed: 2, secret: String::new() }],
            [json!({"both": 1}), json!({"both": 1, "secret": "x"})],
            [json!({"both": "x", "computed": 1})],
        )
        .two_faced("amount", [Amount(7)], [json!(7), json!("7")], [json!(null)])
        .two_faced(
            "growing",
            [Growing::Old, Growing::WrittenOnly],
            [json!("Old"), json!({"ReadOnly": 1})],
            [json!("New")],
        )
        .finish()
}
