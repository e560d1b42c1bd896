//! The official client's boundary and enforcement beside ours, on thousands of frames that are nearly right.

use agui_runtime::receive::{FrameFault, FrameIntake, FrameWarning, PeerCeiling, WarningKind};
use agui_tests::need;
use agui_tests::outside::Node;
use agui_tests::wire::fixture;
use serde::Deserialize;
use serde_json::Value;

use crate::compat::in_words;
use agui_tests::wire::equal;

use crate::json::without_made_up_lists;
use crate::mutate::{Dice, foreign_events, legal_events, mutate, spelled};
use crate::{say, times};

/// The official client's result for a frame.
#[derive(Debug, Deserialize)]
struct Official {
    event: Option<Value>,
    refused: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    warnings: Vec<String>,
}

/// Its warnings in the words of the vectors.
fn official_words(line: &str) -> String {
    let between = |before: &str, after: &str| {
        let (_, rest) = line.split_once(before).unwrap();
        rest.rsplit_once(after).unwrap().0.to_owned()
    };
    if line.contains("Removed unrecognised material") {
        format!("stripped {}", between("material at '", "' on "))
    } else if line.contains("Dropping unrecognised event") {
        format!("dropped event {}", between("unrecognised event '", "': no middleware"))
    } else if line.contains("Converting deprecated") {
        let what = between("Converting deprecated ", ". The old shape");
        let (what, _) = what.rsplit_once(" to ").unwrap();
        match what.split_once(' ') {
            Some((_, "input content.metadata: null")) => {
                "convert image input content.metadata: null".to_owned()
            }
            _ => format!("convert {what}"),
        }
    } else if line.contains("Dropping THINKING_START.title") {
        "lost THINKING_START.title".to_owned()
    } else if line.contains("Minting a messageId") {
        "minted an id".to_owned()
    } else if line.contains("carries only an id") {
        "lost binary part with only an id".to_owned()
    } else {
        panic!("an unknown warning: {line}")
    }
}

/// The client's warning that ours words differently: `BinaryParts`.
const BINARY: &str = "convert binary input content";

fn sorted(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut words: Vec<String> = words.filter(|words| words != BINARY).collect();
    words.sort_unstable();
    words
}

/// Returns true if `ours` are places at or inside of theirs, and each of theirs is one of ours:
/// `FaultPlaces`.
fn same_places(ours: &[&str], theirs: &[String]) -> bool {
    let covers = |theirs: &str, ours: &str| {
        ours.strip_prefix(theirs).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    ours.iter().all(|ours| theirs.iter().any(|theirs| covers(theirs, ours)))
        && theirs.iter().all(|theirs| ours.iter().any(|ours| covers(theirs, ours)))
}

/// `PrototypeMembers`: members of a patch operation that JavaScript takes for something else.
fn is_different_on_purpose(frame: &str) -> bool {
    // The frame may spell letters as escapes.
    let spelled = serde_json::from_str::<Value>(frame).map(|event| event.to_string());
    let frame = spelled.as_deref().unwrap_or(frame);
    frame.contains("__proto__") && (frame.contains("STATE_DELTA") || frame.contains("ACTIVITY_DELTA"))
}

/// Compares, and returns the kind of the result.
fn compare(frame: &str, official: &Official, intake: &mut FrameIntake) -> &'static str {
    let mut warnings: Vec<FrameWarning> = Vec::new();
    let ours = intake.text(frame, &mut |warning| warnings.push(warning));
    // The client's agent reports versions later.
    warnings.retain(|warning| {
        !matches!(warning.kind(), WarningKind::NewerProtocol { .. } | WarningKind::UnreadableProtocol { .. })
    });
    let context = || format!("{frame}\nours: {ours:?}\n{warnings:#?}\nthe client: {official:#?}");
    let crashed = official.refused.as_deref() == Some("S_MALFORMED") && official.paths.is_empty();
    if !crashed {
        let words = sorted(warnings.iter().map(in_words));
        let theirs = sorted(official.warnings.iter().map(|line| official_words(line)));
        assert_eq!(words, theirs, "{frame}");
    }
    let read = |event: &agui_runtime::protocol::Event| serde_json::to_value(event).unwrap();
    match (&ours, &official.refused) {
        (Err(rejected), Some(code)) => {
            assert_eq!(rejected.code().as_str(), code, "{}", context());
            let paths: Vec<&str> = rejected.faults().iter().map(FrameFault::path).collect();
            assert!(crashed || same_places(&paths, &official.paths), "{}", context());
            "refused"
        }
        (Ok(None), None) => {
            assert!(official.event.is_none(), "{}", context());
            "dropped"
        }
        (Ok(Some(event)), None) => {
            let mut ours = read(event);
            let mut theirs = official.event.clone().unwrap_or_else(|| panic!("{}", context()));
            if warnings.iter().any(|warning| warning.event().starts_with("THINKING_")) {
                for event in [&mut ours, &mut theirs] {
                    event.as_object_mut().unwrap().shift_remove("messageId");
                }
            }
            if let Some(input) = theirs.get_mut("input") {
                without_made_up_lists(input, ours.get("input"));
            }
            assert!(equal(&ours, &theirs), "{}", context());
            "taken"
        }
        _ => panic!("{}", context()),
    }
}

/// Reads as the official client does, which speaks 1.0.
fn intake() -> FrameIntake {
    FrameIntake::new().with_ceiling(PeerCeiling::new(1, 0, 0))
}

fn all_agree(node: &Node, frames: &[String]) -> [usize; 3] {
    let jobs: Vec<Value> = frames.iter().map(|frame| Value::from(vec![frame.as_str()])).collect();
    let mut counts = [0; 3];
    let mut judged = node.oracle("intake.mjs", &[], &jobs).into_iter();
    for frame in frames {
        let results: Vec<Official> = serde_json::from_value(judged.next().unwrap()).unwrap();
        if is_different_on_purpose(frame) {
            continue;
        }
        let came = compare(frame, &results[0], &mut intake());
        counts[["taken", "dropped", "refused"].iter().position(|name| *name == came).unwrap()] += 1;
    }
    counts
}

#[test]
fn every_document_of_the_fixtures_comes_to_the_same() {
    let node = need!(Node::ready());
    let mut events = foreign_events();
    events.extend(fixture::schema_cases().into_iter().map(|case| case.document));
    events.extend(fixture::schema_vectors().into_iter().map(|vector| vector.input));
    events.extend(fixture::compat_vectors().into_iter().flat_map(|vector| vector.events));
    for folder in ["conformance", "conformance/proposed"] {
        events.extend(fixture::conformance(folder).into_iter().flat_map(|stream| stream.stream));
    }
    let cases = fixture::json("null-omission.json");
    events.extend(cases["stream"].as_array().unwrap().iter().map(|case| case["input"].clone()));
    let frames: Vec<String> = events.iter().map(Value::to_string).collect();
    let [taken, dropped, refused] = all_agree(&node, &frames);
    say(&format!(
        "fixtures: {taken} taken, {dropped} dropped, {refused} refused, as the official client does"
    ));
    assert!(taken > 300 && dropped > 5 && refused > 100);
}

#[test]
fn frames_that_are_nearly_right_come_to_the_same() {
    let node = need!(Node::ready());
    let [mut taken, mut dropped, mut refused] = [0; 3];
    for round in 0..times() {
        let seed = 4 + round as u64;
        let mut dice = Dice::new(seed);
        let mut bases: Vec<Value> =
            legal_events(seed, 4).iter().map(|event| serde_json::to_value(event).unwrap()).collect();
        bases.extend(foreign_events());
        let mut frames = Vec::new();
        for _ in 0..40 {
            for base in &bases {
                let mut event = base.clone();
                mutate(&mut event, &mut dice);
                frames.push(spelled(&event, &mut dice));
            }
        }
        let counts = all_agree(&node, &frames);
        taken += counts[0];
        dropped += counts[1];
        refused += counts[2];
    }
    say(&format!(
        "mutants: {taken} taken, {dropped} dropped, {refused} refused, as the official client does"
    ));
    assert!(taken > 1000 && dropped > 100 && refused > 1000);
}

#[test]
fn streams_of_thinking_come_to_the_same() {
    let node = need!(Node::ready());
    let types = ["START", "END", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
    let mut streams: Vec<Vec<String>> = vec![vec![]];
    for _ in 0..4 {
        let longer = streams.iter().flat_map(|stream| {
            types.iter().map(|name| {
                let event = serde_json::json!({ "type": format!("THINKING_{name}"), "delta": "d" });
                [stream.clone(), vec![event.to_string()]].concat()
            })
        });
        streams = longer.collect();
    }
    let jobs: Vec<Value> = streams.iter().map(|stream| Value::from(stream.clone())).collect();
    for (stream, results) in streams.iter().zip(node.oracle("intake.mjs", &[], &jobs)) {
        let results: Vec<Official> = serde_json::from_value(results).unwrap();
        let mut intake = intake();
        let mut ids = std::collections::HashMap::new();
        for (frame, official) in stream.iter().zip(&results) {
            let ours = intake.text(frame, &mut |_| {}).unwrap().unwrap();
            let theirs = official.event.as_ref().unwrap();
            let ours = serde_json::to_value(ours).unwrap();
            assert_eq!(ours["type"], theirs["type"]);
            // The same ids in the same places, with any values.
            let (ours, theirs) = (ours["messageId"].to_string(), theirs["messageId"].to_string());
            assert_eq!(ids.entry(ours.clone()).or_insert_with(|| theirs.clone()), &theirs, "{stream:?}");
            assert_eq!(ids.values().filter(|id| **id == theirs).count(), 1, "{stream:?}");
        }
    }
    assert_eq!(streams.len(), 625);
}
