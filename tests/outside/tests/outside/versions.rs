//! The official packages speak AG-UI 1.0. They read a stream of 1.1 without its members, and the run goes on.

use std::fmt::Write as _;

use agui_runtime::protocol::Event;
use agui_runtime::wire::proto;
use agui_tests::{
    need,
    outside::{Node, Python},
};
use serde_json::{Value, json};

const VALUE: &str = "b3BhcXVl";
const TYPE: &str = "acme.signature";

/// A run with `encryptedValueType` at each place that has one.
fn stream() -> Vec<Value> {
    let signed = |members: Value| {
        let mut message = json!({ "encryptedValue": VALUE, "encryptedValueType": TYPE });
        message.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        message
    };
    let call =
        signed(json!({ "id": "c", "type": "function", "function": { "name": "price", "arguments": "{}" } }));
    let messages = [
        signed(json!({ "id": "d", "role": "developer", "content": "Be short." })),
        signed(json!({ "id": "s", "role": "system", "content": "Be kind." })),
        signed(json!({ "id": "u", "role": "user", "content": "Hi" })),
        signed(json!({ "id": "a", "role": "assistant", "content": "Hm.", "toolCalls": [call] })),
        signed(json!({ "id": "t", "role": "tool", "toolCallId": "c", "content": "7" })),
        signed(json!({ "id": "r", "role": "reasoning", "content": "So." })),
    ];
    vec![
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1" }),
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages }),
        signed(json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "r" })),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }),
    ]
}

/// Reads a stream with the official client.
#[track_caller]
fn is_read_without_types(node: &Node, stream: &[Value]) {
    let results = node.verify(&["--wire", "sse"], &[json!(stream)]);
    let pipeline = &results[0]["pipeline"];
    assert_eq!(pipeline["accepted"], true, "{pipeline}");
    let messages = pipeline["messages"].to_string();
    assert!(!messages.contains("encryptedValueType"), "{messages}");
    assert_eq!(messages.matches(VALUE).count(), 7, "{messages}");
}

#[test]
fn the_official_client_strips_the_types_and_keeps_the_values() {
    is_read_without_types(&need!(Node::ready()), &stream());
}

#[test]
fn the_official_binary_reader_skips_the_types_that_we_write() {
    let node = need!(Node::ready());
    let mut frames = Vec::new();
    for event in stream() {
        let event: Event = serde_json::from_value(event).unwrap();
        proto::encode(&event, &mut frames).unwrap();
    }
    let typed = frames.windows(TYPE.len()).filter(|window| *window == TYPE.as_bytes()).count();
    assert_eq!(typed, 8, "the event, and seven in the snapshot");
    let read = node.oracle("proto.mjs", &[], &[json!({ "frames": hex(&frames) })]);
    assert_eq!(read[0]["rest"], 0, "{read:?}");
    let events = read[0]["events"].as_array().unwrap();
    assert!(events.iter().all(|event| event["type"].is_string()), "{read:?}");
    assert!(!read[0].to_string().contains(TYPE), "{read:?}");
    is_read_without_types(&node, events);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").unwrap();
        digits
    })
}

#[test]
fn the_official_models_of_python_read_all_but_the_types() {
    let python = need!(Python::ready());
    let lines = stream().iter().fold(String::new(), |mut lines, event| {
        writeln!(lines, "{event}").unwrap();
        lines
    });
    let verdict = python.validate_lines(&lines);
    assert_eq!(verdict.event_count, stream().len());
    // They read each event, and keep what they do not know aside: one member of the event, seven in the snapshot.
    let problems: Vec<_> = verdict.events.iter().flat_map(|event| &event.problems).collect();
    assert_eq!(problems.len(), 8, "{problems:?}");
    assert!(
        problems.iter().all(|problem| problem.contains("encryptedValueType: no such member")),
        "{problems:?}"
    );
}
