//! The next flush sends the changes that the receiver missed, and a state that cannot be sent is an error.

use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use agui_runtime::prelude::*;
use agui_runtime::state::{Shadow, StateChange, StateError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ops;

static PANICS: AtomicBool = AtomicBool::new(false);

fn panics(_: &String) -> bool {
    assert!(!PANICS.load(Ordering::Relaxed), "as the test wants it");
    false
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Fragile {
    a: String,
    #[serde(skip_serializing_if = "panics")]
    b: String,
}

#[test]
fn after_a_panic_the_whole_document_is_sent() {
    let mut state = Fragile { a: "1".to_owned(), b: "b".to_owned() };
    let (mut shadow, _) = Shadow::start(&state).unwrap();
    state.a = "2".to_owned();
    PANICS.store(true, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| shadow.flush(&state).map(|_| ()))).is_err());
    PANICS.store(false, Ordering::Relaxed);
    assert_eq!(shadow.flush(&state).unwrap(), StateChange::Snapshot(r#"{"a":"2","b":"b"}"#));
    assert_eq!(shadow.flush(&state).unwrap(), StateChange::Nothing);
}

#[derive(
    State, Serialize, Deserialize, JsonSchema, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
enum Level {
    Low,
    High,
    #[serde(skip)]
    Unknown,
}

#[test]
fn a_skipped_name_is_an_error() {
    assert!(matches!(Shadow::start(&Level::Unknown), Err(StateError::Json(_))));
    let (mut shadow, _) = Shadow::start(&vec![Level::Low, Level::High]).unwrap();
    assert!(matches!(shadow.flush(&vec![Level::Low, Level::Unknown]), Err(StateError::Json(_))));
    assert_eq!(
        shadow.flush(&vec![Level::Low, Level::Low]).unwrap(),
        StateChange::Snapshot(r#"["Low","Low"]"#),
        "the flush after it is whole"
    );
}

#[test]
fn a_key_without_a_name_is_an_error() {
    let old = BTreeMap::from([(Level::Low, 1)]);
    let now = BTreeMap::from([(Level::Low, 1), (Level::Unknown, 2)]);
    let (mut shadow, _) = Shadow::start(&old).unwrap();
    assert!(matches!(shadow.flush(&now), Err(StateError::Json(_))));
    assert_eq!(shadow.flush(&old).unwrap(), StateChange::Snapshot(r#"{"Low":1}"#));
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Outer {
    #[serde(skip_serializing_if = "is_short")]
    part: Part,
    rest: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Part {
    text: String,
    #[serde(skip)]
    min: usize,
}

fn is_short(part: &Part) -> bool {
    part.text.len() < part.min
}

#[test]
fn presence_may_depend_on_what_is_skipped() {
    let with = |text: &str, min| Outer {
        part: Part { text: text.to_owned(), min },
        rest: "long enough for the operations to be shorter than the whole".to_owned(),
    };
    let (mut shadow, _) = Shadow::start(&with("12345", 3)).unwrap();
    assert!(matches!(shadow.flush(&with("12", 1)).unwrap(), StateChange::Delta(_)));
    assert_eq!(
        shadow.flush(&with("12", 9)).unwrap(),
        StateChange::Delta(r#"[{"op":"remove","path":"/part"}]"#)
    );
}

/// Equal by its number alone.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Tag {
    id: u8,
    label: String,
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Tag {}

impl Hash for Tag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

#[test]
fn elements_of_a_set_are_compared_by_their_json() {
    let set = |label: &str| HashSet::from([Tag { id: 1, label: label.to_owned() }]);
    let now = json!([{ "op": "add", "path": "", "value": [{ "id": 1, "label": "new" }] }]);
    assert_eq!(ops(&set("old"), &set("new")), now);
}
