//! Enums in the four forms of serde, and the attributes that can be combined with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

/// Which to-dos are shown.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Filter {
    All,
    OpenOnly,
    DoneOnly,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Documented {
    /// Not on fire.
    Low,
    /// On fire.
    High,
    Unsaid,
}

/// Told apart by the only member.
#[derive(Serialize, Deserialize, JsonSchema)]
enum External {
    /// Nothing there.
    Nothing,
    AlsoNothing,
    /// A number.
    One(u8),
    Two(u8, String),
    Point {
        x: f64,
        /// Downwards.
        y: f64,
    },
    Wrapped(Inner),
    Maybe(Option<Inner>),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Inner {
    text: String,
}

/// Told apart by `kind`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Internal {
    /// There is no decision.
    Open,
    /// It is fine.
    ApprovedBy {
        full_name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Wrapped(Inner),
}

/// Told apart by `t`, with the rest in `c`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    One(Inner),
    Two(u8, u8),
    Named { a: bool },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum AdjacentStrict {
    On,
    Level(u8),
}

/// Told apart by looking.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    /// A number.
    Number(i32),
    Text(String),
    List(Vec<Inner>),
    Named {
        name: String,
        size: u8,
    },
    Other(Inner),
    Nothing,
}

/// An untagged enum whose variants mostly differ.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Mixed {
    Known {
        a: u8,
    },
    #[serde(untagged)]
    Unknown {
        b: String,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "only")]
enum Single {
    /// The only one.
    One { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Holder {
    filter: Option<Filter>,
    decision: Option<Internal>,
    shape: Option<External>,
    many: Vec<Internal>,
    #[serde(default = "all")]
    preset: Filter,
}

fn all() -> Filter {
    Filter::All
}

pub(super) fn case() -> Case {
    let inner = || Inner { text: "x".into() };
    Shapes::new("enums", "Enums in all forms.")
        .shape(
            "filter",
            [Filter::All, Filter::OpenOnly, Filter::DoneOnly],
            [json!("all-of-it"), json!(1), json!(null)],
        )
        .shape("documented", [Documented::Low, Documented::High, Documented::Unsaid], [json!("low")])
        .shape(
            "external",
            [
                External::Nothing,
                External::AlsoNothing,
                External::One(1),
                External::Two(1, "x".into()),
                External::Point { x: 0.5, y: 1.0 },
                External::Wrapped(inner()),
                External::Maybe(None),
                External::Maybe(Some(inner())),
            ],
            [
                json!("One"),
                json!({"One": "x"}),
                json!({"Two": [1]}),
                json!({"Point": {"x": 1.0}}),
                json!({"Nowhere": 1}),
                json!({}),
            ],
        )
        .shape(
            "internal",
            [
                Internal::Open,
                Internal::ApprovedBy { full_name: "Ada".into(), note: None },
                Internal::ApprovedBy { full_name: "Ada".into(), note: Some("fine".into()) },
                Internal::Wrapped(inner()),
            ],
            [
                json!({}),
                json!({"kind": "closed"}),
                json!({"kind": "approved_by"}),
                json!({"kind": "wrapped"}),
                json!({"kind": "wrapped", "text": 1}),
            ],
        )
        .shape(
            "adjacent",
            [Adjacent::Nothing, Adjacent::One(inner()), Adjacent::Two(1, 2), Adjacent::Named { a: true }],
            [json!({"t": "One"}), json!({"t": "Two", "c": [1]}), json!({"c": {}})],
        )
        .shape(
            "adjacent_strict",
            [AdjacentStrict::On, AdjacentStrict::Level(3)],
            [json!({"t": "Level", "c": 1, "d": 1}), json!({"t": "Off"})],
        )
        .shape(
            "untagged",
            [
                Untagged::Flag(true),
                Untagged::Number(-3),
                Untagged::Text("x".into()),
                Untagged::List(vec![inner()]),
                Untagged::Named { name: "x".into(), size: 1 },
                Untagged::Other(inner()),
                Untagged::Nothing,
            ],
            [json!({"name": "x"}), json!([1])],
        )
        .shape(
            "mixed",
            [Mixed::Known { a: 1 }, Mixed::Unknown { b: "x".into() }],
            [json!({"kind": "Known"}), json!({})],
        )
        .shape("single", [Single::One { a: 1 }], [json!({"only": "Two", "a": 1}), json!({"a": 1})])
        .two_faced(
            "holder",
            [
                Holder { filter: None, decision: None, shape: None, many: vec![], preset: Filter::All },
                Holder {
                    filter: Some(Filter::All),
                    decision: Some(Internal::Open),
                    shape: Some(External::Nothing),
                    many: vec![Internal::Wrapped(inner())],
                    preset: Filter::DoneOnly,
                },
            ],
            [json!({"many": []})],
            [json!({"many": [{"kind": "nope"}]}), json!({"many": [], "filter": "x"})],
        )
        .finish()
}
