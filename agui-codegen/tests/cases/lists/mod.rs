//! Lists, tuples and transparent types: newtypes and units.

use std::collections::{BTreeSet, HashSet, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
struct UserId(String);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Clear {
    inner: Vec<UserId>,
}

/// Longitude, then latitude.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Place(f64, f64);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Unit;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Lists {
    plain: Vec<String>,
    bytes: Vec<u8>,
    nested: Vec<Vec<Option<u8>>>,
    pair: (u8, String),
    single: (bool,),
    triple: [i16; 3],
    long: [u8; 20],
    set: BTreeSet<UserId>,
    hashed: HashSet<bool>,
    queue: VecDeque<Place>,
    unit: Unit,
    also_unit: (),
    boxed: Box<[u8]>,
    unions: Vec<Option<Unit>>,
}

pub(super) fn case() -> Case {
    let full = || Lists {
        plain: vec!["a".into()],
        bytes: vec![0, 255],
        nested: vec![vec![None, Some(1)], vec![]],
        pair: (1, "x".into()),
        single: (true,),
        triple: [1, -2, 3],
        long: [7; 20],
        set: BTreeSet::from([UserId("u".into())]),
        hashed: HashSet::from([true]),
        queue: VecDeque::from([Place(1.5, -2.0)]),
        unit: Unit,
        also_unit: (),
        boxed: Box::new([1, 2]),
        unions: vec![None],
    };
    let with = |name: &str, value: serde_json::Value| {
        let mut lists = serde_json::to_value(full()).unwrap();
        lists[name] = value;
        lists
    };
    Shapes::new("lists", "Lists and tuples.")
        .shape(
            "lists",
            [full()],
            [
                with("plain", json!([1])),
                with("bytes", json!([256])),
                with("pair", json!([1])),
                with("pair", json!([1, "x", 2])),
                with("pair", json!(["x", 1])),
                with("triple", json!([1, 2])),
                with("queue", json!([[1.0]])),
                with("unit", json!(1)),
            ],
        )
        .shape("user_id", [UserId("u".into())], [json!(1), json!(["u"])])
        .shape("clear", [Clear { inner: vec![UserId("u".into())] }], [json!({"inner": []})])
        .shape("place", [Place(1.0, 2.0)], [json!([1.0]), json!([1.0, 2.0, 3.0])])
        .shape("unit", [Unit], [json!({})])
        .shape("text", ["a".to_owned()], [json!(1)])
        .shape("pairs", [vec![("a".to_owned(), 1u8)]], [json!([["a"]])])
        .output::<Option<Vec<String>>>()
        .finish()
}
