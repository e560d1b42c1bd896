//! The differences there are on purpose are there, and no wider than they are said to be.

use std::fs;

use agui_runtime::protocol::{
    ActivityDeltaEvent, Event, JsonPatch, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype,
};
use agui_runtime::receive::differences::Difference;
use agui_runtime::receive::reduce::{ReduceWarning, Reducer};
use agui_tests::wire::equal;
use agui_tests::{
    need,
    outside::{Node, Stream, tests_dir},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::differential::{fold, same};

#[derive(Debug, Deserialize)]
struct Shown {
    difference: String,
    messages: Value,
    state: Value,
    events: Vec<Value>,
    ours: Value,
    official: Value,
}

#[derive(Debug, Deserialize)]
struct Kept {
    what: String,
    messages: Value,
    state: Value,
    events: Vec<Value>,
}

fn own<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = tests_dir().join("fixtures/vectors-own").join(file);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What streams cannot show as messages and state: what is said of them, how they end, and when.
const ELSEWHERE: [Difference; 3] = [
    // `a_loss_is_said`, below.
    Difference::WarningsSaid,
    // The official client loses what it has not come to; the tests give it time.
    Difference::Deterministic,
    // `conformance::the_proposed_streams_are_refused_by_who_asks_for_it`.
    Difference::Truncated,
];

#[test]
fn every_difference_is_shown() {
    let node = need!(Node::ready());
    let shown: Vec<Shown> = own("differences.json");
    for difference in Difference::ALL {
        let name = format!("{difference:?}");
        let count = shown.iter().filter(|shown| shown.difference == name).count();
        assert_eq!(count > 0, !ELSEWHERE.contains(difference), "{name}");
    }
    let streams: Vec<Stream> = shown
        .iter()
        .map(|Shown { messages, state, events, .. }| Stream {
            messages: messages.clone(),
            state: state.clone(),
            events: events.clone(),
        })
        .collect();
    for ((shown, stream), theirs) in shown.iter().zip(&streams).zip(node.fold_many(&streams)) {
        let name = &shown.difference;
        let (ours, _) = fold(stream);
        let ours = json!({ "messages": ours.messages, "state": ours.state });
        let theirs = json!({ "messages": theirs.messages, "state": theirs.state });
        assert!(equal(&ours, &shown.ours), "{name}: {ours}");
        assert!(equal(&theirs, &shown.official), "{name}: {theirs}");
        assert!(!equal(&ours, &theirs), "{name} is none");
    }
}

#[test]
fn what_is_easily_wrong_is_right() {
    let node = need!(Node::ready());
    let kept: Vec<Kept> = own("kept.json");
    let streams: Vec<Stream> = kept
        .iter()
        .map(|Kept { messages, state, events, .. }| Stream {
            messages: messages.clone(),
            state: state.clone(),
            events: events.clone(),
        })
        .collect();
    assert!(!kept.is_empty());
    for ((kept, stream), theirs) in kept.iter().zip(&streams).zip(node.fold_many(&streams)) {
        let (ours, _) = fold(stream);
        assert!(same(&ours, &theirs), "{}: {ours:?} {theirs:?}", kept.what);
    }
}

#[test]
fn a_loss_is_said() {
    let mut reducer = Reducer::new();
    let value = |subtype| -> Event { ReasoningEncryptedValueEvent::new(subtype, "gone", "x").into() };
    for event in
        [value(ReasoningEncryptedValueSubtype::Message), value(ReasoningEncryptedValueSubtype::ToolCall)]
    {
        let warning = reducer.apply(&event).unwrap().warning;
        assert_eq!(warning, Some(ReduceWarning::NothingToEncrypt { id: "gone".to_owned() }));
    }
    let delta = ActivityDeltaEvent::new("gone", "plan", JsonPatch::default());
    let warning = reducer.apply(&delta.into()).unwrap().warning;
    assert!(matches!(warning, Some(ReduceWarning::NoMessage { id, .. }) if id == "gone"));
}
