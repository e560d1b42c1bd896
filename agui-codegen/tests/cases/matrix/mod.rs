//! The matrix: every attribute of serde that changes the JSON, and every common kind of type, each as a row of its own,
//! in both directions, with values that the type refuses.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use super::{Case, Shapes};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Renamed {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
struct RenamedAll {
    first_name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Skipping {
    kept: u8,
    #[serde(skip)]
    skipped: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Defaulted {
    #[serde(default)]
    count: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Aliased {
    #[serde(alias = "colour")]
    color: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Denying {
    only: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Newtype(String);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Bytes(Vec<u8>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Generic<T> {
    item: T,
    more: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all_fields = "camelCase")]
enum RenamedFields {
    Moved { new_place: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum KebabTagged {
    PageOpened { page: u8 },
    PageClosed,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tag")]
enum Internal {
    Unit,
    Newtype(Point),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tag", content = "content")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tag")]
enum OneUntagged {
    Tagged {
        a: u8,
    },
    #[serde(untagged)]
    Bare {
        b: String,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tag")]
enum WithOther {
    Known {
        a: u8,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlatStruct {
    id: u8,
    #[serde(flatten)]
    point: Point,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlatEnum {
    id: u8,
    #[serde(flatten)]
    what: Internal,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlatMap {
    id: String,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
enum Unit {
    A,
    B,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SkippedNone {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SkippedEmpty {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<u8>,
    #[serde(default, skip_serializing)]
    secret: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Nullable {
    note: Option<String>,
}

/// A code of four letters.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
struct Code([u8; 4]);

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.0.iter().copied().map(char::from).collect()
    }
}

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.as_bytes().try_into().map(Self).map_err(|_| format!("{text} has no four letters"))
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Vec<Point>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RenamedApart {
    #[serde(rename(serialize = "said", deserialize = "heard"))]
    word: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Wide {
    unsigned: u64,
    signed: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Digits {
    #[serde(with = "agui_runtime::as_string::<u64>")]
    unsigned: u64,
    #[serde(with = "agui_runtime::as_string::<Option<i64>>")]
    signed: Option<i64>,
    #[serde(with = "agui_runtime::as_string::<Vec<i64>>")]
    many: Vec<i64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Anything {
    value: Value,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Lasting {
    took: Duration,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ByNumber(HashMap<u32, Point>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct ByUnit(HashMap<Unit, u8>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Sorted(BTreeMap<String, Vec<bool>>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tuple {
    pair: (u8, String),
    none: (),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TupleStruct(f64, bool);

#[derive(Serialize, Deserialize, JsonSchema)]
struct UnitStruct;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Recursive {
    name: String,
    children: Vec<Recursive>,
    parent: Option<Box<Recursive>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithUuid {
    id: Uuid,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithTime {
    at: DateTime<Utc>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithUrl {
    link: Url,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithResult {
    outcome: Result<u8, Point>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithSet {
    tags: HashSet<String>,
}

/// The number of rows.
pub(crate) const ROWS: usize = 43;

pub(super) fn case() -> Case {
    let point = || Point { x: 1, y: -1 };
    let shapes = Shapes::new("matrix", "Everything serde and schemars know, one by one.");
    let shapes = attributes(shapes, &point);
    let shapes = enums(shapes, &point);
    let shapes = optional(shapes, &point);
    foreign(shapes, &point).finish()
}

/// Attributes of a container or a field.
fn attributes(shapes: Shapes, point: &dyn Fn() -> Point) -> Shapes {
    shapes
        .shape("rename", [Renamed { kind: "x".into() }], [json!({"kind": "x"}), json!({"type": 1})])
        .shape("rename_all", [RenamedAll { first_name: "Ada".into() }], [json!({"first_name": "Ada"})])
        .shape("skip", [Skipping { kept: 1, skipped: 0 }], [json!({"skipped": 1}), json!({"kept": "1"})])
        .two_faced(
            "default",
            [Defaulted { count: 3 }],
            [json!({}), json!({"count": 1})],
            [json!({"count": null})],
        )
        .shape("alias", [Aliased { color: "red".into() }], [json!({"color": 1})])
        .shape("deny_unknown", [Denying { only: 1 }], [json!({"only": 1, "other": 2}), json!({})])
        .shape("newtype", [Newtype("x".into())], [json!(1), json!(["x"]), json!({"0": "x"})])
        .shape("bytes", [Bytes(vec![0, 255])], [json!("AP8="), json!([256]), json!([true])])
        .shape(
            "generic",
            [Generic { item: point(), more: vec![point()] }],
            [json!({"item": 1, "more": []}), json!({"item": {"x": 1, "y": 1}})],
        )
        .two_faced(
            "rename_apart",
            [RenamedApart { word: "x".into() }],
            [json!({"heard": "x"})],
            [json!({"said": "x"})],
        )
        .shape(
            "transparent",
            [Transparent { inner: vec![point()] }],
            [json!({"inner": []}), json!([{"x": 1}])],
        )
        .shape("into_try_from", [Code(*b"abcd")], [json!(4), json!([97, 98, 99, 100])])
        .shape(
            "flatten_struct",
            [FlatStruct { id: 1, point: point() }],
            [json!({"id": 1, "point": {"x": 1, "y": 1}}), json!({"id": 1, "x": 1})],
        )
        .shape(
            "flatten_enum",
            [FlatEnum { id: 1, what: Internal::Unit }, FlatEnum { id: 1, what: Internal::Newtype(point()) }],
            [json!({"id": 1}), json!({"id": 1, "tag": "Struct"}), json!({"tag": "Unit"})],
        )
        .shape(
            "flatten_map",
            [
                FlatMap { id: "x".into(), rest: HashMap::new() },
                FlatMap { id: "x".into(), rest: HashMap::from([("k".into(), "v".into())]) },
            ],
            [json!({"id": "x", "k": 1}), json!({"k": "v"})],
        )
}

/// The forms of an enum.
fn enums(shapes: Shapes, point: &dyn Fn() -> Point) -> Shapes {
    shapes
        .shape(
            "rename_all_fields",
            [RenamedFields::Moved { new_place: 1 }],
            [json!({"Moved": {"new_place": 1}}), json!({"moved": {"newPlace": 1}})],
        )
        .shape(
            "kebab_tag",
            [KebabTagged::PageOpened { page: 1 }, KebabTagged::PageClosed],
            [json!({"event": "PageClosed"}), json!({"event": "page-opened"}), json!("page-closed")],
        )
        .shape(
            "external",
            [External::Unit, External::Newtype(1), External::Tuple(1, "x".into()), External::Struct { a: 1 }],
            [json!("Newtype"), json!({"Tuple": [1]}), json!({"Struct": {}}), json!({"Other": 1}), json!({})],
        )
        .shape(
            "internal",
            [Internal::Unit, Internal::Newtype(point()), Internal::Struct { a: 1 }],
            [json!("Unit"), json!({"tag": "Newtype"}), json!({"tag": "Struct", "a": "x"}), json!({"a": 1})],
        )
        .shape(
            "adjacent",
            [Adjacent::Unit, Adjacent::Newtype(1), Adjacent::Tuple(1, "x".into()), Adjacent::Struct { a: 1 }],
            [json!({"tag": "Newtype"}), json!({"tag": "Struct", "content": 1}), json!({"content": 1})],
        )
        .shape(
            "untagged",
            [Untagged::Number(1), Untagged::Text("x".into()), Untagged::Struct { a: 1 }],
            [json!(null), json!(true), json!({"b": 1})],
        )
        .shape(
            "one_untagged",
            [OneUntagged::Tagged { a: 1 }, OneUntagged::Bare { b: "x".into() }],
            [json!({"tag": "Tagged"}), json!({"b": 1}), json!({})],
        )
        .two_faced(
            "other",
            [WithOther::Known { a: 1 }, WithOther::Unknown],
            [json!({"tag": "Known", "a": 1}), json!({"tag": "Unknown"})],
            [json!({"tag": "Known"}), json!({})],
        )
        .shape("unit_enum", [Unit::A, Unit::B], [json!("C"), json!(0), json!({"A": 1})])
}

/// Fields that may be absent, and types that hold others.
fn optional(shapes: Shapes, point: &dyn Fn() -> Point) -> Shapes {
    shapes
        .shape(
            "skip_none",
            [SkippedNone { a: 1, b: None }, SkippedNone { a: 1, b: Some("x".into()) }],
            [json!({"b": "x"}), json!({"a": 1, "b": 2})],
        )
        .two_faced(
            "skip_empty",
            [
                SkippedEmpty { list: vec![], secret: "s".into() },
                SkippedEmpty { list: vec![1], secret: "s".into() },
            ],
            [json!({}), json!({"list": [1], "secret": "s"})],
            [json!({"list": 1}), json!({"secret": null})],
        )
        .two_faced(
            "null",
            [Nullable { note: None }, Nullable { note: Some("x".into()) }],
            [json!({}), json!({"note": null}), json!({"note": "x"})],
            [json!({"note": 1})],
        )
        .shape(
            "integer_keys",
            [ByNumber(HashMap::from([(7, point())]))],
            [json!({"x": {"x": 1, "y": 1}}), json!({"7": 1})],
        )
        .shape("enum_keys", [ByUnit(HashMap::from([(Unit::A, 1)]))], [json!({"C": 1}), json!({"A": "x"})])
        .shape(
            "sorted_map",
            [Sorted(BTreeMap::from([("k".into(), vec![true])]))],
            [json!({"k": true}), json!([])],
        )
        .shape(
            "tuple",
            [Tuple { pair: (1, "x".into()), none: () }],
            [
                json!({"pair": [1], "none": null}),
                json!({"pair": [1, "x", 2], "none": null}),
                json!({"pair": ["x", 1], "none": null}),
            ],
        )
        .shape(
            "tuple_struct",
            [TupleStruct(0.5, true)],
            [json!([0.5]), json!([true, 0.5]), json!({"0": 0.5, "1": true})],
        )
        .shape("unit_struct", [UnitStruct], [json!({}), json!([]), json!("UnitStruct")])
        .two_faced(
            "recursive",
            [Recursive {
                name: "a".into(),
                children: vec![Recursive { name: "b".into(), children: vec![], parent: None }],
                parent: None,
            }],
            [
                json!({"name": "a", "children": []}),
                json!({"name": "a", "children": [], "parent": {"name": "b", "children": [], "parent": null}}),
            ],
            [json!({"name": "a", "children": [{"name": 1, "children": []}]})],
        )
}

/// Types of other crates, and of the standard library.
fn foreign(shapes: Shapes, point: &dyn Fn() -> Point) -> Shapes {
    shapes
        .shape(
            "wide",
            [Wide { unsigned: 1 << 53, signed: -(1 << 53) }],
            [
                json!({"unsigned": "1", "signed": 1}),
                json!({"unsigned": -1, "signed": 1}),
                json!({"unsigned": 0.5, "signed": 1}),
            ],
        )
        .shape(
            "int_string",
            [
                Digits { unsigned: u64::MAX, signed: Some(i64::MIN), many: vec![i64::MAX, 0] },
                Digits { unsigned: 0, signed: None, many: vec![] },
            ],
            [
                json!({"unsigned": 1, "signed": null, "many": []}),
                json!({"unsigned": "1", "signed": 1, "many": []}),
                json!({"unsigned": "1", "signed": null, "many": [1]}),
                json!({"unsigned": "-1", "signed": null, "many": []}),
                json!({"unsigned": "1", "signed": "", "many": []}),
                json!({"unsigned": "1", "signed": null, "many": ["1.5"]}),
            ],
        )
        .shape(
            "value",
            [Anything { value: json!([1, null, {"a": "b"}]) }, Anything { value: json!(null) }],
            [json!(1)],
        )
        .shape(
            "duration",
            [Lasting { took: Duration::from_millis(1500) }],
            [json!({"took": 1.5}), json!({"took": {"secs": 1}})],
        )
        .shape("uuid", [WithUuid { id: Uuid::from_u128(7) }], [json!({"id": 7}), json!({})])
        .shape("chrono", [WithTime { at: DateTime::UNIX_EPOCH }], [json!({"at": 0}), json!({"at": null})])
        .shape(
            "url",
            [WithUrl { link: "https://example.com/".parse().unwrap() }],
            [json!({"link": 1}), json!({"link": ["x"]})],
        )
        .shape(
            "result",
            [WithResult { outcome: Ok(1) }, WithResult { outcome: Err(point()) }],
            [json!({"outcome": 1}), json!({"outcome": {"Ok": "x"}}), json!({"outcome": {"Other": 1}})],
        )
        .shape(
            "set",
            [WithSet { tags: HashSet::from(["x".to_owned()]) }],
            [json!({"tags": [1]}), json!({"tags": "x"})],
        )
}
