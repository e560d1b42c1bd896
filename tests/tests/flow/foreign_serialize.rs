//! Types whose `Serialize` is not that of serde's derive: what a state would send is compared with what serde writes.

use std::collections::BTreeMap;

use agui_runtime::prelude::*;
use agui_runtime::state::{Shadow, StateChange, StateError, diff};
use agui_runtime::testing::{self, RunEnd, assert_state_matches, check_state};
use futures::executor::block_on;
use schemars::{JsonSchema, JsonSchema_repr};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use serde_repr::{Deserialize_repr, Serialize_repr};

#[derive(
    State, Serialize_repr, Deserialize_repr, JsonSchema_repr, Clone, Copy, PartialEq, Eq, PartialOrd, Ord,
)]
#[repr(u8)]
enum Level {
    Low = 1,
    High = 2,
}

#[derive(State, Serialize_repr, Deserialize_repr, JsonSchema_repr, Clone, Copy, PartialEq)]
#[state(opaque)]
#[repr(u8)]
enum Grade {
    Good = 1,
    Better = 2,
}

/// Written as `"x,y"`, as `SerializeDisplay` would.
#[derive(State, Deserialize, JsonSchema, Clone)]
struct Point {
    x: i32,
    y: i32,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&format_args!("{},{}", self.x, self.y))
    }
}

/// Written with one more member.
#[derive(State, Deserialize, JsonSchema, Clone)]
struct Sum {
    a: i32,
    b: i32,
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        BTreeMap::from([("a", self.a), ("b", self.b), ("sum", self.a + self.b)]).serialize(out)
    }
}

/// Written in another form while it is zero.
#[derive(State, Deserialize, JsonSchema, Clone)]
struct Weight {
    grams: u32,
    #[serde(default)]
    of: String,
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.grams {
            0 => out.serialize_none(),
            grams => json!({"grams": grams, "of": self.of}).serialize(out),
        }
    }
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(transparent)]
struct Wrapped(Level);

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(rename_all_fields = "camelCase")]
enum Signal {
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    Loud {
        how_loud: u32,
    },
    Quiet {
        for_now: bool,
        last_level: Level,
    },
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(untagged)]
enum Either {
    Level(Level),
    Text(String),
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Alarm {
    level: Option<Level>,
    list: Vec<Level>,
    map: BTreeMap<u32, Level>,
    keys: BTreeMap<Level, u32>,
    wrapped: Option<Wrapped>,
    pair: Option<(u8, Level)>,
    signal: Option<Signal>,
    either: Option<Either>,
    boxed: Option<Box<Alarm>>,
    point: Option<Point>,
    sum: Option<Sum>,
    weight: Option<Weight>,
    long: Vec<String>,
}

/// The place, the type, and both forms.
fn found(error: StateError) -> (String, String, Value, Value) {
    let text = error.to_string();
    match error {
        StateError::WrittenOtherwise { path, type_name, serde, written } => {
            assert!(
                text.contains("#[state(opaque)]") && text.contains(&type_name) && text.contains(&path),
                "{text}"
            );
            (path, type_name, *serde, *written)
        }
        other => panic!("{other:?}"),
    }
}

fn rows() -> Vec<(Alarm, &'static str, &'static str, Value, Value)> {
    let none = Alarm::default;
    vec![
        (Alarm { level: Some(Level::Low), ..none() }, "/level", "Level", json!(1), json!("Low")),
        (Alarm { list: vec![Level::High], ..none() }, "/list/0", "Level", json!(2), json!("High")),
        (Alarm { map: [(7, Level::Low)].into(), ..none() }, "/map/7", "Level", json!(1), json!("Low")),
        (Alarm { wrapped: Some(Wrapped(Level::Low)), ..none() }, "/wrapped", "Level", json!(1), json!("Low")),
        (Alarm { pair: Some((3, Level::Low)), ..none() }, "/pair/1", "Level", json!(1), json!("Low")),
        (
            Alarm { signal: Some(Signal::Quiet { for_now: true, last_level: Level::Low }), ..none() },
            "/signal/Quiet/lastLevel",
            "Level",
            json!(1),
            json!("Low"),
        ),
        (
            Alarm { either: Some(Either::Level(Level::Low)), ..none() },
            "/either",
            "Level",
            json!(1),
            json!("Low"),
        ),
        (
            Alarm { boxed: Some(Box::new(Alarm { level: Some(Level::High), ..none() })), ..none() },
            "/boxed/level",
            "Level",
            json!(2),
            json!("High"),
        ),
        (
            Alarm { point: Some(Point { x: 1, y: 2 }), ..none() },
            "/point",
            "Point",
            json!("1,2"),
            json!({"x": 1, "y": 2}),
        ),
        (
            Alarm { sum: Some(Sum { a: 1, b: 2 }), ..none() },
            "/sum",
            "Sum",
            json!({"a": 1, "b": 2, "sum": 3}),
            json!({"a": 1, "b": 2}),
        ),
        (
            Alarm { weight: Some(Weight { grams: 0, of: String::new() }), ..none() },
            "/weight",
            "Weight",
            json!(null),
            json!({"grams": 0, "of": ""}),
        ),
    ]
}

#[test]
fn a_form_that_is_not_serdes_is_found_in_the_first_document() {
    for (alarm, path, name, serde, written) in rows() {
        let expected = (path.to_owned(), name.to_owned(), serde, written);
        assert_eq!(found(check_state(&[Alarm::default(), alarm.clone()]).unwrap_err()), expected);
        assert_eq!(found(Shadow::start(&alarm).err().unwrap()), expected);
    }
    // serde also writes the keys of maps.
    assert_state_matches(&[Alarm::default(), Alarm { keys: [(Level::Low, 7)].into(), ..Alarm::default() }]);
    assert_state_matches(&[Signal::Loud { how_loud: 3 }]);
}

#[test]
fn a_form_that_is_not_serdes_is_found_in_the_change_that_brings_it() {
    // Long enough for changes to be sent as deltas, and longer than what is checked after each change.
    for lines in [40, 4_000] {
        let old = Alarm { long: (0..lines).map(|n| format!("line {n}")).collect(), ..Alarm::default() };
        for (alarm, path, name, serde, written) in rows() {
            let now = Alarm { long: old.long.clone(), ..alarm };
            let (mut shadow, _) = Shadow::start(&old).unwrap();
            assert_eq!(shadow.flush(&old).unwrap(), StateChange::Nothing);
            let expected = (path.to_owned(), name.to_owned(), serde, written);
            assert_eq!(found(shadow.flush(&now).unwrap_err()), expected);
            // The receiver has the old document, so that the next change is the whole.
            assert!(matches!(shadow.flush(&old), Ok(StateChange::Snapshot(_))));
            assert!(matches!(found(diff(&old, &now).unwrap_err()), (place, ..) if place == path));
        }
    }
}

#[test]
fn a_value_that_changes_its_form_is_found() {
    let weight = |grams| Weight { grams, of: "rice, which is long enough to be sent as a delta".to_owned() };
    let (mut shadow, _) = Shadow::start(&weight(3)).unwrap();
    assert!(matches!(shadow.flush(&weight(4)), Ok(StateChange::Delta(_))));
    assert_eq!(found(shadow.flush(&weight(0)).unwrap_err()).0, "");
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Report {
    grade: Grade,
    list: Vec<Grade>,
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    #[schemars(with = "String")]
    level: Level,
    #[state(opaque)]
    other: Option<Level>,
}

fn as_text<S: Serializer>(level: &Level, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(if *level == Level::Low { "low" } else { "high" })
}

fn from_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Level, D::Error> {
    Ok(if String::deserialize(from)? == "low" { Level::Low } else { Level::High })
}

#[test]
fn opaque_types_and_fields_are_written_by_serde() {
    let old = Report { grade: Grade::Good, list: vec![Grade::Good; 40], level: Level::Low, other: None };
    let now = Report { grade: Grade::Better, level: Level::High, other: Some(Level::High), ..old.clone() };
    assert_state_matches(&[old.clone(), now.clone()]);
    let (mut shadow, snapshot) = Shadow::start(&old).unwrap();
    assert_eq!(snapshot, serde_json::to_string(&old).unwrap());
    let StateChange::Delta(delta) = shadow.flush(&now).unwrap() else { panic!("no delta") };
    let values: Vec<Value> = serde_json::from_str::<Vec<Value>>(delta)
        .unwrap()
        .into_iter()
        .map(|op| op["value"].clone())
        .collect();
    assert_eq!(values, [json!(2), json!("high"), json!(2)]);
    let read: Report = serde_json::from_str(&snapshot).unwrap();
    assert!(read.grade == Grade::Good && read.level == Level::Low);
}

/// Sounds an alarm.
#[agent(state = Alarm)]
async fn siren(run: &mut Run<Siren>, _input: Input<Siren>) -> Result<(), Stop> {
    let state = run.state().snapshot(&Alarm::default()).await?;
    state.update(|alarm| alarm.list.push(Level::High)).await?;
    Ok(())
}

#[test]
fn a_run_ends_with_the_reason() {
    let events = block_on(testing::run(Siren::new(), testing::input("Hello")));
    let RunEnd::Failed { code, .. } = testing::end(&events) else { panic!("{}", testing::lines(&events)) };
    assert_eq!(code, Some("state_written_otherwise"));
}
