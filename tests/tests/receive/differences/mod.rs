//! The differences there are on purpose are there, on both sides, and no wider than they are said to be.

mod folding;
mod reading;
mod session;
mod transport;

use std::fs;

use agui_runtime::receive::differences::{Difference, Part};
use agui_tests::outside::{Node, Stream, tests_dir};
use agui_tests::verdict::{self, Asked};
use agui_tests::{need, wire::equal};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::differential::{fold, same};

/// Shows a difference on both sides.
type Show = fn(&Node);

/// How each is shown that a stream with messages and state does not show: those stand in `vectors-own/differences.json`.
const SHOWN: &[(Difference, Show)] = &[
    (Difference::MadeUpIds, reading::made_up_ids),
    (Difference::MadeUpLists, reading::made_up_lists),
    (Difference::HalfCharacters, reading::half_characters),
    (Difference::LimitedDepth, reading::limited_depth),
    (Difference::InfiniteNumbers, reading::infinite_numbers),
    (Difference::ExactIntegers, reading::exact_integers),
    (Difference::PrototypeMembers, reading::prototype_members),
    (Difference::NullMessages, reading::null_messages),
    (Difference::FaultPlaces, reading::fault_places),
    (Difference::CappedFaults, reading::capped_faults),
    (Difference::BinaryParts, reading::binary_parts),
    (Difference::SubagentsFirst, reading::subagents_first),
    (Difference::TypedRequests, reading::typed_requests),
    (Difference::TypedStages, reading::typed_stages),
    (Difference::TypedHistory, reading::typed_history),
    (Difference::OwnSentences, reading::own_sentences),
    (Difference::CrLf, transport::crlf),
    (Difference::RecordBytes, transport::record_bytes),
    (Difference::Abort, transport::abort),
    (Difference::WildcardAccept, transport::wildcard_accept),
    (Difference::FieldsWithinMessages, transport::fields_within_messages),
    (Difference::NoNumber, transport::no_number),
    (Difference::BoundedCopies, folding::bounded_copies),
    (Difference::BoundedSteps, folding::bounded_steps),
    (Difference::WarningsSaid, folding::warnings_said),
    (Difference::Deterministic, folding::deterministic),
    (Difference::Truncated, folding::truncated),
    (Difference::ErrorEndsWhatIsOpen, folding::error_ends_what_is_open),
    (Difference::ActivityGoes, session::activity_goes),
    (Difference::HooksAreFunctions, session::hooks_are_functions),
    (Difference::HalfEscapes, session::half_escapes),
    (Difference::HooksThatPanic, session::hooks_that_panic),
    (Difference::ChangesOnly, session::changes_only),
    (Difference::FramesAsTheyCame, session::frames_as_they_came),
    (Difference::DatesWithoutOffset, session::dates_without_offset),
];

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

#[test]
fn every_difference_is_shown_once() {
    let streams: Vec<Shown> = own("differences.json");
    for difference in Difference::ALL {
        let name = format!("{difference:?}");
        let by_stream = streams.iter().any(|shown| shown.difference == name);
        let by_hand = SHOWN.iter().filter(|(shown, _)| shown == difference).count();
        assert_eq!(usize::from(by_stream) + by_hand, 1, "{name}");
        for said in [difference.official(), difference.here(), difference.because()] {
            assert!(!said.is_empty() && !said.ends_with('.') && !said.contains('|'), "{name}: {said}");
        }
    }
    let is_known =
        |shown: &Shown| Difference::ALL.iter().any(|known| format!("{known:?}") == shown.difference);
    assert!(streams.iter().all(is_known));
}

fn show(part: Part) {
    let node = need!(Node::ready());
    for (_, show) in SHOWN.iter().filter(|(difference, _)| difference.part() == part) {
        show(&node);
    }
}

#[test]
fn differences_of_reading_are_there() {
    show(Part::Reading);
}

#[test]
fn differences_of_transports_are_there() {
    show(Part::Transport);
}

#[test]
fn differences_of_sessions_are_there() {
    show(Part::Session);
}

#[test]
fn differences_of_folding_and_producing_are_there() {
    show(Part::Folding);
    show(Part::Producing);
}

#[test]
fn differences_that_streams_show_are_there() {
    let node = need!(Node::ready());
    let shown: Vec<Shown> = own("differences.json");
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
        let (ours, excuses) = fold(stream);
        assert!(excuses.same(&ours, &theirs) || OUTSIDE_STREAMS.contains(&name.as_str()), "{name} is wider");
        let ours = json!({ "messages": ours.messages, "state": ours.state });
        let theirs = json!({ "messages": theirs.messages, "state": theirs.state });
        assert!(equal(&ours, &shown.ours), "{name}: {ours}");
        assert!(equal(&theirs, &shown.official), "{name}: {theirs}");
        assert!(!equal(&ours, &theirs), "{name} is none");
    }
}

/// What streams by chance never meet, so that nothing excuses it.
const OUTSIDE_STREAMS: [&str; 2] = ["InheritedMembers", "WrappedIndexes"];

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

/// The answer to one job.
fn ask(node: &Node, script: &str, job: Value) -> Value {
    node.oracle(script, &[], &[job]).swap_remove(0)
}

/// The verdict of both on one part of a job, ours first.
fn both(node: &Node, part: verdict::Part, job: &Value) -> (Value, Value) {
    let mut ours = verdict::verdict(job, &Asked::whole([part])).unwrap();
    let mut theirs = node.verify(&["--only", part.name()], std::slice::from_ref(job)).swap_remove(0);
    (ours[part.name()].take(), theirs[part.name()].take())
}
