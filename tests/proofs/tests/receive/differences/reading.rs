//! The reading of a frame.

use agui_runtime::protocol::Event;
use agui_runtime::receive::enforce::MAX_FAULTS;
use agui_runtime::receive::{
    FrameFault, FrameIntake, FrameWarning, RejectedFrame, ShapeEnforcer, WarningKind,
};
use agui_tests::outside::Node;
use agui_tests::verdict::Part;
use serde_json::{Value, json};

use super::{ask, both};

/// The official client's result for a frame.
fn official(node: &Node, frame: &str) -> Value {
    ask(node, "intake.mjs", json!([frame]))[0].take()
}

fn ours(frame: &str) -> (Result<Option<Event>, RejectedFrame>, Vec<FrameWarning>) {
    let mut warnings = Vec::new();
    let read = FrameIntake::new().text(frame, &mut |warning| warnings.push(warning));
    (read, warnings)
}

/// Our event of an accepted frame.
fn taken(frame: &str) -> Value {
    json!(ours(frame).0.unwrap().unwrap())
}

fn places(rejected: &RejectedFrame) -> Vec<&str> {
    rejected.faults().iter().map(FrameFault::path).collect()
}

pub(super) fn made_up_ids(node: &Node) {
    let frame = r#"{"type":"THINKING_START"}"#;
    assert_eq!(taken(frame), taken(frame));
    let (first, second) = (official(node, frame), official(node, frame));
    assert!(first["event"]["messageId"].is_string());
    assert_ne!(first["event"]["messageId"], second["event"]["messageId"]);
}

pub(super) fn made_up_lists(node: &Node) {
    let frame = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[]}}"#;
    let input = &official(node, frame)["event"]["input"];
    assert_eq!((&input["tools"], &input["context"]), (&json!([]), &json!([])));
    assert_eq!(taken(frame).to_string(), frame);
}

pub(super) fn half_characters(node: &Node) {
    let frame = r#"{"type":"STEP_STARTED","stepName":"a\ud83e"}"#;
    let theirs = official(node, frame);
    assert_eq!((&theirs["event"]["stepName"], &theirs["warnings"]), (&json!("a\\ud83e"), &json!([])));
    let (read, warnings) = ours(frame);
    assert_eq!(json!(read.unwrap())["stepName"], "a\u{fffd}");
    assert_eq!(warnings[0].kind(), &WarningKind::HalfCharacter);
}

pub(super) fn limited_depth(node: &Node) {
    let (open, close) = ("[".repeat(200), "]".repeat(200));
    let frame = format!(r#"{{"type":"STEP_STARTED","stepName":"a","deep":{open}{close}}}"#);
    assert_eq!(official(node, &frame)["event"]["stepName"], "a");
    assert_eq!(ours(&frame).0.unwrap_err().code().as_str(), "S_NOT_JSON");
}

pub(super) fn infinite_numbers(node: &Node) {
    let frame = r#"{"type":"STEP_STARTED","stepName":"a","large":1e999}"#;
    assert_eq!(official(node, frame)["event"]["stepName"], "a");
    assert_eq!(ours(frame).0.unwrap_err().code().as_str(), "S_NOT_JSON");
}

pub(super) fn exact_integers(node: &Node) {
    let frame = r#"{"type":"STATE_SNAPSHOT","snapshot":9007199254740993}"#;
    assert_eq!(official(node, frame)["event"]["snapshot"], json!(9_007_199_254_740_992_u64));
    assert_eq!(taken(frame)["snapshot"], json!(9_007_199_254_740_993_u64));
}

pub(super) fn prototype_members(node: &Node) {
    let frame = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1,"__proto__":{"x":1}}]}"#;
    let theirs = official(node, frame);
    assert_eq!(theirs["event"]["delta"], json!([{ "op": "add", "path": "/a", "value": 1 }]));
    assert_eq!(taken(frame)["delta"][0]["__proto__"], json!({ "x": 1 }));

    let text = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1,"__proto__":{"x":1}}}"#;
    let snapshot: Event = serde_json::from_str(text).unwrap();
    let bytes = crate::proto::message(&snapshot);
    let theirs = ask(node, "proto.mjs", json!({ "hex": crate::proto::hex(&bytes) }));
    assert_eq!(theirs["event"]["snapshot"], json!({ "a": 1 }));
    assert_eq!(FrameIntake::new().proto(&bytes, &mut |_| {}), Ok(Some(snapshot)));
}

pub(super) fn null_messages(node: &Node) {
    let frame = r#"{"type":"MESSAGES_SNAPSHOT","messages":[null]}"#;
    let theirs = official(node, frame);
    assert_eq!((&theirs["refused"], &theirs["paths"]), (&json!("S_MALFORMED"), &json!([])));
    let rejected = ours(frame).0.unwrap_err();
    assert_eq!((rejected.code().as_str(), places(&rejected)), ("S_MALFORMED", vec!["/messages/0"]));
}

pub(super) fn fault_places(node: &Node) {
    let frame = r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text"}]}"#;
    assert_eq!(official(node, frame)["paths"], json!(["/content"]));
    assert_eq!(places(&ours(frame).0.unwrap_err()), ["/content/0/text"]);
}

pub(super) fn capped_faults(node: &Node) {
    let delta: Vec<Value> = (0..500).map(|_| json!({ "op": "remove" })).collect();
    let frame = json!({ "type": "STATE_DELTA", "delta": delta }).to_string();
    assert_eq!(official(node, &frame)["paths"].as_array().unwrap().len(), 500);
    let rejected = ours(&frame).0.unwrap_err();
    assert_eq!((rejected.faults().len(), rejected.more()), (MAX_FAULTS, 500 - MAX_FAULTS));
}

pub(super) fn binary_parts(node: &Node) {
    let part = |url: &str| json!({ "type": "binary", "mimeType": "image/png", "url": url });
    let message = json!({ "id": "u", "role": "user", "content": [part("a"), part("b")] });
    let frame = json!({ "type": "MESSAGES_SNAPSHOT", "messages": [message] }).to_string();
    assert_eq!(official(node, &frame)["warnings"].as_array().unwrap().len(), 1);
    let (_, warnings) = ours(&frame);
    let places: Vec<&str> = warnings.iter().map(FrameWarning::path).collect();
    assert_eq!(places, ["/messages/0/content/0", "/messages/0/content/1"]);
}

pub(super) fn subagents_first(node: &Node) {
    let job = json!({ "client": { "maxProtocolVersion": "0.0.57" }, "stream": [
        { "type": "RUN_STARTED", "threadId": "t", "runId": "r" },
        { "type": "TEXT_MESSAGE_CHUNK", "messageId": "1", "delta": "a", "subagentRunId": "s" },
        { "type": "TEXT_MESSAGE_CHUNK", "messageId": "2", "delta": "b" },
        { "type": "TEXT_MESSAGE_CHUNK", "delta": "c", "subagentRunId": "s" },
    ] });
    let (ours, theirs) = both(node, Part::Pipeline, &job);
    let texts = |verdict: &Value| [0, 1].map(|at| verdict["messages"][at]["content"].clone());
    assert_eq!((texts(&ours), texts(&theirs)), ([json!("a"), json!("bc")], [json!("ac"), json!("b")]));
    assert!(!ours.to_string().contains("subagentRunId") && !theirs.to_string().contains("subagentRunId"));
}

pub(super) fn typed_requests(node: &Node) {
    let input = json!({ "messages": [{ "id": "u", "role": "user", "content": "Hi", "name": null }] });
    let run = json!([
        { "type": "RUN_STARTED", "threadId": "t", "runId": "r" },
        { "type": "RUN_FINISHED", "threadId": "t", "runId": "r" },
    ]);
    let (_, theirs) = both(node, Part::Pipeline, &json!({ "input": input, "stream": run }));
    assert_eq!(theirs["request"]["messages"], json!([{ "id": "u", "role": "user", "content": "Hi" }]));
    let mut whole = input;
    (whole["threadId"], whole["runId"]) = (json!("t"), json!("r"));
    let rejected = ShapeEnforcer::new().input(whole, &mut |_| {}).unwrap_err();
    assert_eq!(places(&rejected), ["/messages/0/name"]);
}

pub(super) fn typed_stages(node: &Node) {
    let stream = json!([{ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "a", "mood": "good" }]);
    let (ours, theirs) = both(node, Part::Expand, &stream);
    assert_eq!(theirs["events"][1]["mood"], "good");
    assert!(!ours["events"].to_string().contains("mood"), "{ours}");
    // An earlier stage removes it in both.
    let (ours, theirs) = both(node, Part::Enforce, &stream);
    assert_eq!(ours["events"], theirs["events"]);
}

pub(super) fn typed_history(node: &Node) {
    let part = json!({ "type": "binary", "mimeType": "image/png", "url": "u" });
    let input = json!({ "messages": [{ "id": "u", "role": "user", "content": [part] }] });
    let run = json!([{ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }]);
    let (ours, theirs) = both(node, Part::Pipeline, &json!({ "input": input, "stream": run }));
    let kind = |list: &Value| list[0]["content"][0]["type"].clone();
    assert_eq!((kind(&ours["messages"]), kind(&theirs["messages"])), (json!("image"), json!("binary")));
    assert_eq!(kind(&ours["request"]["messages"]), kind(&theirs["request"]["messages"]));
}

pub(super) fn own_sentences(node: &Node) {
    let stream = json!([{ "type": "STEP_STARTED", "stepName": "a" }]);
    let (ours, theirs) = both(node, Part::Verify, &stream);
    assert_eq!((&ours["code"], &ours["at"]), (&theirs["code"], &theirs["at"]));
    assert!(ours["error"].is_string() && ours["error"] != theirs["error"]);
}
