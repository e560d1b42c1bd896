//! The intended differences exist, on both sides, and are no wider than described.

mod folding;
mod reading;
mod session;
mod transport;

use std::fs;

use agui_tests::outside::{Node, Stream, tests_dir};
use agui_tests::verdict::{self, Asked};
use agui_tests::{need, wire::equal};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::differential::{fold, same};

/// The tables of the documentation, which users read.
const TABLES: &str = include_str!("../../../../../agui-runtime/core/src/docs/differences.md");

/// A row of the tables: the heading it stands under, its name, and its other cells.
struct Row {
    part: &'static str,
    name: &'static str,
    cells: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let mut part = "";
    let mut rows = Vec::new();
    for line in TABLES.lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            part = heading;
        }
        let Some(row) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else { continue };
        let mut cells: Vec<&str> = row.split(" | ").collect();
        let name = cells.remove(0);
        if name != "difference" {
            rows.push(Row { part, name, cells });
        }
    }
    rows
}

/// Returns true if the documentation has a difference of this name.
pub(crate) fn is_listed(name: &str) -> bool {
    rows().iter().any(|row| row.name == name)
}

/// Shows a difference on both sides.
type Show = fn(&Node);

/// The demonstration of each difference that a stream with messages and state does not show: the others are in
/// `vectors-own/differences.json`.
const SHOWN: &[(&str, Show)] = &[
    ("MadeUpIds", reading::made_up_ids),
    ("MadeUpLists", reading::made_up_lists),
    ("HalfCharacters", reading::half_characters),
    ("LimitedDepth", reading::limited_depth),
    ("InfiniteNumbers", reading::infinite_numbers),
    ("ExactIntegers", reading::exact_integers),
    ("PrototypeMembers", reading::prototype_members),
    ("NullMessages", reading::null_messages),
    ("FaultPlaces", reading::fault_places),
    ("CappedFaults", reading::capped_faults),
    ("BinaryParts", reading::binary_parts),
    ("SubagentsFirst", reading::subagents_first),
    ("TypedRequests", reading::typed_requests),
    ("TypedStages", reading::typed_stages),
    ("TypedHistory", reading::typed_history),
    ("OwnSentences", reading::own_sentences),
    ("CrLf", transport::crlf),
    ("RecordBytes", transport::record_bytes),
    ("Abort", transport::abort),
    ("WildcardAccept", transport::wildcard_accept),
    ("FieldsWithinMessages", transport::fields_within_messages),
    ("NoNumber", transport::no_number),
    ("BoundedCopies", folding::bounded_copies),
    ("BoundedSteps", folding::bounded_steps),
    ("WarningsSaid", folding::warnings_said),
    ("Deterministic", folding::deterministic),
    ("Truncated", folding::truncated),
    ("ErrorEndsWhatIsOpen", folding::error_ends_what_is_open),
    ("ActivityGoes", session::activity_goes),
    ("HooksAreFunctions", session::hooks_are_functions),
    ("HalfEscapes", session::half_escapes),
    ("HooksThatPanic", session::hooks_that_panic),
    ("ChangesOnly", session::changes_only),
    ("FramesAsTheyCame", session::frames_as_they_came),
    ("DatesWithoutOffset", session::dates_without_offset),
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
fn every_difference_of_the_documentation_is_shown_once_and_no_other() {
    let (rows, streams): (_, Vec<Shown>) = (rows(), own("differences.json"));
    for Row { part, name, cells } in &rows {
        let by_stream = streams.iter().any(|shown| shown.difference == *name);
        let by_hand = SHOWN.iter().filter(|(shown, _)| shown == name).count();
        assert_eq!(usize::from(by_stream) + by_hand, 1, "{name}");
        assert_eq!(rows.iter().filter(|other| other.name == *name).count(), 1, "{name}");
        assert!(PARTS.contains(part), "{part}");
        assert!(matches!(&cells[..], [_, _, _]), "{name}: {cells:?}");
        assert!(cells.iter().all(|cell| !cell.is_empty() && !cell.ends_with('.')), "{name}: {cells:?}");
    }
    let shown = streams.iter().map(|shown| shown.difference.as_str());
    for name in shown.chain(SHOWN.iter().map(|(name, _)| *name)).chain(OUTSIDE_STREAMS) {
        assert!(rows.iter().any(|row| row.name == name), "{name} is not in the documentation");
    }
}

/// The headings of the tables; a test below runs for each.
const PARTS: [&str; 5] = ["Reading", "Transport", "Folding", "Session", "Producing"];

fn show(part: &str) {
    let node = need!(Node::ready());
    let rows = rows();
    let is_of_part = |name: &str| rows.iter().any(|row| row.part == part && row.name == name);
    for (_, show) in SHOWN.iter().filter(|(name, _)| is_of_part(name)) {
        show(&node);
    }
}

#[test]
fn differences_of_reading_are_there() {
    show("Reading");
}

#[test]
fn differences_of_transports_are_there() {
    show("Transport");
}

#[test]
fn differences_of_sessions_are_there() {
    show("Session");
}

#[test]
fn differences_of_folding_and_producing_are_there() {
    show("Folding");
    show("Producing");
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

/// Differences that random streams never meet, so that they excuse nothing.
const OUTSIDE_STREAMS: [&str; 2] = ["InheritedMembers", "WrappedIndexes"];

#[test]
fn common_mistakes_are_avoided() {
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
