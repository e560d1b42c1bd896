//! Dropping, stripping and refusing: the fixtures about them.

use agui_runtime::order::OrderStrictness;
use agui_runtime::receive::{
    FrameIntake, FrameWarning, PeerCeiling, RejectedFrame, ShapeEnforcer, WarningKind,
};
use agui_tests::wire::fixture::{self, Conformance, Vector};
use serde_json::{Value, json};

use agui_tests::wire::equal;

use crate::json::without_made_up_lists;

/// The result of one event: the rest of it, and the places of the removed parts.
struct Enforced {
    result: Result<Option<Value>, RejectedFrame>,
    stripped: Vec<String>,
}

fn enforce(event: &Value) -> Enforced {
    let mut stripped = Vec::new();
    let result = ShapeEnforcer::new().event(event.clone(), &mut |warning| {
        assert!(matches!(warning.kind(), WarningKind::Unknown | WarningKind::UnknownEvent), "{warning}");
        stripped.push(warning.path().to_owned());
    });
    let result = result.map(|event| event.map(|event| serde_json::to_value(event).unwrap()));
    Enforced { result, stripped }
}

/// A document as part of an event, and its place in there.
fn in_event(target: &str, document: &Value) -> Option<(Value, &'static str)> {
    let input =
        |input: Value| json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": input });
    Some(match target {
        "event" | "Event" => (document.clone(), ""),
        "message" | "Message" => {
            (json!({ "type": "MESSAGES_SNAPSHOT", "messages": [document] }), "/messages/0")
        }
        "input" | "RunAgentInput" => (input(document.clone()), "/input"),
        "tool" | "Tool" => (
            input(json!({ "threadId": "t", "runId": "r", "messages": [], "tools": [document] })),
            "/input/tools/0",
        ),
        "context" | "Context" => (
            input(json!({ "threadId": "t", "runId": "r", "messages": [], "context": [document] })),
            "/input/context/0",
        ),
        "ResumeEntry" => (
            input(json!({ "threadId": "t", "runId": "r", "messages": [], "resume": [document] })),
            "/input/resume/0",
        ),
        "Interrupt" => (
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r",
                "outcome": { "type": "interrupt", "interrupts": [document] } }),
            "/outcome/interrupts/0",
        ),
        _ => return None,
    })
}

/// Returns true if the places of our faults are those of the client's issues. The client reports one issue for a union
/// of kinds, at the union.
pub(crate) fn same_places(ours: &[String], theirs: &[String]) -> bool {
    let covers = |theirs: &String, ours: &String| ours == theirs || ours.starts_with(&format!("{theirs}/"));
    ours.iter().all(|ours| theirs.iter().any(|theirs| covers(theirs, ours)))
        && theirs.iter().all(|theirs| ours.iter().any(|ours| covers(theirs, ours)))
}

#[derive(serde::Deserialize)]
struct Paths {
    #[serde(default)]
    paths: Vec<String>,
}

#[test]
fn the_vectors_agree_with_the_official_client() {
    let raw = fixture::json("vectors/schema.json");
    let mut judged = 0;
    for (vector, raw) in fixture::schema_vectors().iter().zip(raw.as_array().unwrap()) {
        let Vector { name, target, input, client, .. } = vector;
        let Some((event, at)) = in_event(target, input) else {
            assert_eq!(target, "capabilities");
            continue;
        };
        judged += 1;
        let Enforced { result, stripped } = enforce(&event);
        if name == fixture::VECTOR_OF_1_1 {
            assert_eq!(client.stripped, ["/encryptedValueType"]);
            assert_eq!((result.unwrap(), stripped), (Some(event), vec![]));
            continue;
        }
        if !client.accept {
            let rejected = result.expect_err(name);
            let ours: Vec<String> = rejected
                .faults()
                .iter()
                .map(|fault| fault.path().strip_prefix(at).unwrap().to_owned())
                .collect();
            let Paths { paths } = serde_json::from_value(raw["client"].clone()).unwrap();
            assert!(same_places(&ours, &paths), "{name}: {ours:?}, the client {paths:?}");
            continue;
        }
        let left = result.unwrap_or_else(|rejected| panic!("{name}: {rejected}"));
        let mut ours: Vec<&str> = stripped.iter().map(|path| path.strip_prefix(at).unwrap()).collect();
        let mut theirs: Vec<&str> = client.stripped.iter().map(String::as_str).collect();
        if ["(event)", "(whole)"].iter().any(|whole| theirs.contains(whole)) {
            theirs = vec![""];
        } else {
            let left =
                left.as_ref().and_then(|left| left.pointer(at)).unwrap_or_else(|| panic!("{name} is gone"));
            let mut output = client.output.clone();
            without_made_up_lists(
                if target == "event" { &mut output["input"] } else { &mut output },
                left.get("input").or(Some(left)),
            );
            if output.get("input").is_some_and(Value::is_null) {
                output.as_object_mut().unwrap().shift_remove("input");
            }
            assert!(equal(left, &output), "{name}: {left}\nthe client: {output}");
        }
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{name}");
    }
    assert_eq!(judged, 209);
}

#[test]
fn schema_cases_are_accepted_or_refused() {
    let [mut valid, mut refused, mut stripped, mut elsewhere] = [0; 4];
    for case in fixture::schema_cases() {
        let definition = match case.definition.as_str() {
            event if event.ends_with("Event") => "Event",
            message if message.ends_with("Message") => "Message",
            other => other,
        };
        let Some((event, at)) = in_event(definition, &case.document) else {
            elsewhere += 1;
            continue;
        };
        let enforced = enforce(&event);
        let name = format!("{}: {}", case.definition, case.name);
        match enforced.result {
            Ok(left) if enforced.stripped.is_empty() => {
                assert!(case.valid, "{name} is not valid and nobody said so");
                let left = left.unwrap();
                assert!(equal(left.pointer(at).unwrap(), &case.document), "{name}: {left}");
                valid += 1;
            }
            Ok(_) => {
                assert!(!case.valid, "{name} is valid, but {:?} went", enforced.stripped);
                stripped += 1;
            }
            Err(rejected) => {
                assert!(!case.valid, "{name} is valid, but {rejected}");
                refused += 1;
            }
        }
    }
    println!(
        "schema-cases.json: {valid} taken, {stripped} stripped, {refused} refused, {elsewhere} not in events"
    );
    assert_eq!([valid, stripped, refused, elsewhere].iter().sum::<i32>(), 179);
}

#[test]
fn nothing_null_is_written_for_something_absent() {
    let cases = fixture::json("null-omission.json");
    for case in cases["stream"].as_array().unwrap() {
        let enforced = enforce(&case["input"]);
        let left = enforced.result.unwrap_or_else(|rejected| panic!("{}: {rejected}", case["name"])).unwrap();
        assert!(equal(&left, &case["expected"]), "{}: {left}", case["name"]);
        assert!(enforced.stripped.is_empty(), "{}", case["name"]);
    }
}

/// The result of an official stream in the first two stages.
struct Taken {
    warnings: Vec<FrameWarning>,
    /// The number of accepted events, and the reason of the refusal.
    refused: Option<(usize, RejectedFrame)>,
    types: Vec<String>,
}

fn take(stream: &Conformance, strictness: OrderStrictness) -> Taken {
    // The streams are for clients of 1.0.
    let ceiling = stream.client["maxProtocolVersion"].as_str().unwrap_or("1.0.0");
    let ceiling = ceiling.parse::<PeerCeiling>().unwrap();
    let mut intake = FrameIntake::new().with_strictness(strictness).with_ceiling(ceiling);
    let mut taken = Taken { warnings: Vec::new(), refused: None, types: Vec::new() };
    for (index, event) in stream.stream.iter().enumerate() {
        match intake.text(&event.to_string(), &mut |warning| taken.warnings.push(warning)) {
            Ok(Some(event)) => taken.types.push(event.event_type().to_string()),
            Ok(None) => {}
            Err(rejected) => {
                taken.refused = Some((index, rejected));
                break;
            }
        }
    }
    taken
}

/// Streams that these stages refuse, with the place and the reason. All others pass them.
const REFUSED: [(&str, usize, &str); 4] = [
    ("malformed-known-field-fatal", 2, "/delta"),
    ("reasoning-message-wrong-role-fatal", 1, "/role"),
    ("subagent-started-missing-name-fatal", 1, "/name"),
    ("unknown-enum-value-role-fatal", 1, "/role"),
];

/// Streams with warnings about changes, and the places.
const WARNED: [(&str, &[&str]); 6] = [
    ("era-0-0-45-thinking-translated", &["", "/title", "", "", "", ""]),
    ("producer-declares-newer-version-warns", &["/protocolVersion"]),
    ("unknown-event-dropped", &[""]),
    ("unknown-outcome-stripped", &["/outcome"]),
    ("unknown-part-in-message-list", &["/messages/0/content/1"]),
    ("unknown-property-stripped", &["/futureProp"]),
];

#[test]
fn the_official_streams_come_through_as_they_say() {
    let mut streams = fixture::conformance("conformance");
    streams.extend(fixture::conformance("conformance/proposed"));
    assert_eq!(streams.len(), 53);
    for stream in &streams {
        let taken = take(stream, OrderStrictness::Client);
        let name = stream.name.as_str();
        let refused = taken.refused.as_ref().map(|(at, rejected)| (name, *at, rejected.path()));
        assert_eq!(refused, REFUSED.iter().find(|(refused, ..)| *refused == name).copied(), "{name}");
        let places: Vec<&str> = taken.warnings.iter().map(FrameWarning::path).collect();
        let expected =
            WARNED.iter().find(|(warned, _)| *warned == name).map_or(&[][..], |(_, places)| places);
        assert_eq!(places, expected, "{name}: {:?}", taken.warnings);
        for absent in stream.expect["eventTypesAbsent"].as_array().into_iter().flatten() {
            assert!(!taken.types.contains(&absent.as_str().unwrap().to_owned()), "{name}: {absent}");
        }
    }
}

#[test]
fn the_specification_strips_unknown_members_of_closed_sets() {
    let warned = |event: Value| {
        let mut places = Vec::new();
        let left = ShapeEnforcer::new()
            .with_strictness(OrderStrictness::Spec)
            .event(event, &mut |warning| places.push(warning.path().to_owned()))
            .unwrap();
        (left.map(|left| serde_json::to_value(left).unwrap()), places)
    };
    let start = json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "narrator" });
    let (left, places) = warned(start);
    assert_eq!(left, Some(json!({ "type": "TEXT_MESSAGE_START", "messageId": "m" })));
    assert_eq!(places, ["/role"]);

    let step = json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "step", "entityId": "e", "encryptedValue": "v" });
    assert_eq!(warned(step), (None, vec![String::new()]));

    let input = json!({ "threadId": "t", "runId": "r", "messages": [], "resume": [{ "interruptId": "i", "status": "later", "x": 1 }] });
    let (left, places) =
        warned(json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": input }));
    assert_eq!(left.unwrap()["input"]["resume"], json!([]));
    assert_eq!(places, ["/input/resume/0"]);

    // A wrong kind of value is malformed at every level.
    let number = json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": 1 });
    assert!(ShapeEnforcer::new().with_strictness(OrderStrictness::Spec).event(number, &mut |_| {}).is_err());
}

#[test]
fn a_producer_is_asked_for_1_0_and_nothing_else() {
    let refused = |event: Value| {
        let mut intake = FrameIntake::new().with_strictness(OrderStrictness::Producer);
        let rejected = intake.text(&event.to_string(), &mut |warning| panic!("{warning}")).unwrap_err();
        (rejected.code().as_str(), rejected.path().to_owned())
    };
    let at = |code, path: &str| (code, path.to_owned());
    assert_eq!(refused(json!({ "type": "META" })), at("S_UNKNOWN", "/type"));
    assert_eq!(refused(json!({ "type": "THINKING_START" })), at("S_UNKNOWN", "/type"));
    assert_eq!(refused(json!({ "type": "STEP_STARTED", "stepName": "s", "x": 1 })), at("S_UNKNOWN", "/x"));
    assert_eq!(
        refused(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": null })),
        at("S_MALFORMED", "/outcome")
    );
    assert_eq!(
        refused(json!({ "type": "STATE_DELTA", "delta": [{ "op": "increment", "path": "/n" }] })),
        at("S_UNKNOWN", "/delta/0")
    );
}
