//! Maps: keys of every kind that JSON can have.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Case, Shapes};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Euro {
    cents: u32,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Sku(String);

/// Prices by everything.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Prices {
    by_name: HashMap<String, Euro>,
    by_number: BTreeMap<u32, Euro>,
    by_signed: BTreeMap<i64, bool>,
    by_size: BTreeMap<Size, Euro>,
    by_sku: BTreeMap<Sku, Option<u8>>,
    nested: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    anything: serde_json::Map<String, Value>,
}

/// A map with a name.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Stock(BTreeMap<String, u32>);

pub(super) fn case() -> Case {
    let full = || Prices {
        by_name: HashMap::from([("tea".into(), Euro { cents: 250 })]),
        by_number: BTreeMap::from([(7, Euro { cents: 1 })]),
        by_signed: BTreeMap::from([(-7, true), (0, false)]),
        by_size: BTreeMap::from([(Size::Large, Euro { cents: 2 })]),
        by_sku: BTreeMap::from([(Sku("a-1".into()), None), (Sku("b".into()), Some(3))]),
        nested: BTreeMap::from([("x".into(), BTreeMap::from([("y".into(), vec![1, 2])]))]),
        anything: serde_json::Map::from_iter([("k".to_owned(), json!({"deep": [null]}))]),
    };
    let with = |name: &str, value: Value| {
        let mut prices = serde_json::to_value(full()).unwrap();
        prices[name] = value;
        prices
    };
    Shapes::new("maps", "Maps with all keys.")
        .shape(
            "prices",
            [full()],
            [
                with("by_name", json!({"tea": 250})),
                with("by_number", json!({"seven": {"cents": 1}})),
                with("by_signed", json!({"1": "x"})),
                with("by_size", json!({"medium": {"cents": 1}})),
                with("nested", json!({"x": {"y": "z"}})),
                with("anything", json!([])),
            ],
        )
        .shape(
            "stock",
            [Stock(BTreeMap::from([("tea".into(), 3)])), Stock(BTreeMap::new())],
            [json!({"tea": -1})],
        )
        .activity::<BTreeMap<String, u32>>("stock")
        .activity::<Prices>("the prices")
        .finish()
}
