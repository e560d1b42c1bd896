//! The official conformance streams, and our own vectors of the official verifier, as far as order decides them.

use std::{collections::BTreeMap, fs};

use agui_runtime::order::{OrderError, OrderRule, OrderStrictness, OrderVerifier};
use agui_runtime::protocol::{Event, EventEffect, EventType};
use agui_tests::outside::tests_dir;
use serde::Deserialize;
use serde_json::Value;

use crate::{codes::NEVER_AN_EVENT, say};

#[derive(Debug, Deserialize)]
struct Stream {
    name: String,
    stream: Vec<Value>,
    expect: Expect,
}

#[derive(Debug, Deserialize)]
struct Expect {
    outcome: String,
}

/// The stage between a sent stream and the verifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Chunk expansion.
    Expansion,
    /// Dropping and stripping of unknown parts.
    Stripping,
    /// Refusal of malformed parts.
    Validation,
    /// Translation of retired parts.
    Translation,
}

/// Streams that order alone cannot decide, because an earlier stage changes or refuses them. Every other one is judged.
const UNDECIDED: [(&str, Needs); 13] = [
    ("chunk-conflicting-tool-name-fatal", Needs::Expansion),
    ("chunk-expansion-assembles", Needs::Expansion),
    ("custom-closes-chunk-stream-fatal", Needs::Expansion),
    ("era-0-0-45-thinking-translated", Needs::Translation),
    ("first-tool-chunk-missing-name-fatal", Needs::Expansion),
    ("malformed-known-field-fatal", Needs::Validation),
    ("reasoning-message-wrong-role-fatal", Needs::Validation),
    ("subagent-started-missing-name-fatal", Needs::Validation),
    ("subagent-terminal-closes-open-chunk-stream", Needs::Expansion),
    ("unknown-enum-value-role-fatal", Needs::Validation),
    ("unknown-event-dropped", Needs::Stripping),
    ("unknown-outcome-stripped", Needs::Stripping),
    ("unknown-part-in-message-list", Needs::Stripping),
];

/// The required refusals of the others.
const FATAL: [(&str, OrderRule); 11] = [
    ("event-after-run-finished-fatal", OrderRule::AfterFinished),
    ("nested-run-started-fatal", OrderRule::RunActive),
    ("open-message-at-run-finished-fatal", OrderRule::FinishWithOpenText),
    ("reasoning-discipline-verified", OrderRule::ReasoningMessageNotOpen),
    ("run-finished-with-active-subagent-fatal", OrderRule::FinishWithOpenSubagents),
    ("step-finished-without-start-fatal", OrderRule::StepFinishNotOpen),
    // Proposed, and not checked by the client 1.0.0.
    ("duplicate-interrupt-id-fatal", OrderRule::DuplicateInterrupt),
    ("run-finished-wrong-run-id-fatal", OrderRule::RunIdMismatch),
    ("run-finished-wrong-thread-id-fatal", OrderRule::ThreadIdMismatch),
    ("second-run-on-another-thread-fatal", OrderRule::ThreadChanged),
    ("truncated-stream-fails-the-run", OrderRule::Truncated),
];

fn streams(folder: &str) -> Vec<Stream> {
    let files = fs::read_dir(tests_dir().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let json = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    json.map(|path| serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()).collect()
}

fn events(stream: &Stream) -> Result<Vec<Event>, serde_json::Error> {
    stream.stream.iter().map(Event::deserialize).collect()
}

/// The stream in the form of a current producer.
fn declared(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let Event::RunStarted(started) = event {
            started.protocol_version.get_or_insert_with(|| "1.0".to_owned());
        }
    }
    events
}

#[test]
fn the_official_streams_are_judged_as_they_say() {
    let undecided = BTreeMap::from(UNDECIDED);
    let fatal = BTreeMap::from(FATAL);
    let official = streams("fixtures/conformance");
    let proposed = streams("fixtures/conformance/proposed");
    assert_eq!((official.len(), proposed.len()), (48, 5));
    let mut judged = 0;
    for stream in official.iter().chain(&proposed) {
        let name = stream.name.as_str();
        if undecided.contains_key(name) {
            continue;
        }
        judged += 1;
        let events = declared(events(stream).unwrap_or_else(|cause| panic!("{name}: {cause}")));
        let expected = fatal.get(name);
        assert_eq!(stream.expect.outcome == "failed", expected.is_some(), "{name}");
        for level in [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer] {
            let asked = expected.filter(|rule| rule.strictness() <= level);
            let verdict = OrderVerifier::with_strictness(level).check_all(&events);
            assert_eq!(
                verdict.as_ref().err().map(OrderError::rule).as_ref(),
                asked,
                "{name}, {level:?}: {verdict:?}"
            );
        }
    }
    say(&format!("order: {judged} official streams judged, {} need other stages first", undecided.len()));
    assert_eq!(judged + undecided.len(), 53);
}

#[test]
fn the_streams_left_out_do_need_what_it_says() {
    let all = streams("fixtures/conformance");
    for (name, needs) in UNDECIDED {
        let stream =
            all.iter().find(|stream| stream.name == name).unwrap_or_else(|| panic!("{name} is gone"));
        match (needs, events(stream)) {
            (Needs::Expansion, Ok(events)) => {
                let chunk = |event: &Event| matches!(event.event_type().effect(), EventEffect::Chunk(_));
                assert!(events.iter().any(chunk), "{name}");
            }
            (Needs::Validation, Err(_)) => assert_eq!(stream.expect.outcome, "failed", "{name}"),
            (Needs::Stripping | Needs::Translation, Err(_)) => {
                assert_eq!(stream.expect.outcome, "completed", "{name}");
                let retired = stream
                    .stream
                    .iter()
                    .any(|event| event["type"].as_str().unwrap().starts_with("THINKING_"));
                assert_eq!(retired, needs == Needs::Translation, "{name}");
            }
            (needs, events) => panic!("{name}: {needs:?}, but {events:?}"),
        }
    }
}

#[derive(Debug, Deserialize)]
struct Vector {
    name: String,
    events: Vec<Value>,
    /// The number of accepted events.
    accepted: usize,
    error: Option<String>,
}

#[test]
fn the_vectors_are_judged_as_observed() {
    let path = tests_dir().join("fixtures/vectors/verify.json");
    let vectors: Vec<Vector> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(vectors.len(), 155);
    for Vector { name, events, accepted, error } in vectors {
        let mut verifier = OrderVerifier::new();
        let verdict = events.iter().enumerate().try_for_each(|(index, json)| {
            // The official verifier, alone, accepts an unknown type; ours never sees it.
            if json["type"].as_str().unwrap().parse::<EventType>().is_err() {
                return Ok(());
            }
            match Event::deserialize(json) {
                Ok(event) => verifier.check(&event).map_err(|error| (index, error.code().to_owned())),
                Err(_) => Err((index, "malformed".to_owned())),
            }
        });
        let observed = error.map_or(Ok(()), |code| {
            let malformed = NEVER_AN_EVENT.contains(&code.as_str());
            Err((accepted, if malformed { "malformed".to_owned() } else { code }))
        });
        assert_eq!(verdict, observed, "{name}");
    }
}
