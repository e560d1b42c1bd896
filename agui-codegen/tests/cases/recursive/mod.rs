//! Recursive types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

/// A tree.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    value: u8,
    children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Chain {
    name: String,
    next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Folder {
    entries: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Entry {
    File { size: u32 },
    Folder(Folder),
}

/// An expression.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Expr {
    Number(f64),
    Negated { not: Box<Expr> },
    Sum { sum: Vec<Expr> },
    Named(BTreeMap<String, Expr>),
}

/// A list of lists of lists.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Lists(Vec<Lists>);

pub(super) fn case() -> Case {
    let leaf = |value| Tree { value, children: vec![] };
    Shapes::new("recursive", "Types that hold themselves.")
        .shape(
            "tree",
            [Tree { value: 1, children: vec![leaf(2), Tree { value: 3, children: vec![leaf(4)] }] }],
            [json!({"value": 1, "children": [{"value": 2}]})],
        )
        .two_faced(
            "chain",
            [Chain { name: "a".into(), next: Some(Box::new(Chain { name: "b".into(), next: None })) }],
            [json!({"name": "a", "next": {"name": "b"}})],
            [json!({"name": "a", "next": {}})],
        )
        .shape(
            "folder",
            [Folder {
                entries: BTreeMap::from([
                    ("a".into(), Entry::File { size: 1 }),
                    ("b".into(), Entry::Folder(Folder { entries: BTreeMap::new() })),
                ]),
            }],
            [json!({"entries": {"a": {"is": "folder"}}})],
        )
        .shape(
            "expr",
            [
                Expr::Number(1.5),
                Expr::Negated { not: Box::new(Expr::Number(2.0)) },
                Expr::Sum {
                    sum: vec![Expr::Number(1.0), Expr::Negated { not: Box::new(Expr::Number(0.0)) }],
                },
                Expr::Named(BTreeMap::from([("x".into(), Expr::Number(1.0))])),
            ],
            [json!("x"), json!({"sum": ["x"]})],
        )
        .shape("lists", [Lists(vec![Lists(vec![]), Lists(vec![Lists(vec![])])])], [json!([1])])
        .finish()
}
