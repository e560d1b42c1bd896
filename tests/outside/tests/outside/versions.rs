//! The official packages speak AG-UI 1.0. They read a stream of 1.1 without its members, and the run goes on.

use std::fmt::Write as _;

use agui_tests::{
    need,
    outside::{Node, Python},
};
use serde_json::{Value, json};

const VALUE: &str = "b3BhcXVl";

/// A run with `encryptedValueType` at each place that has one.
fn stream() -> Vec<Value> {
    let signed = |members: Value| {
        let mut message = json!({ "encryptedValue": VALUE, "encryptedValueType": "acme.signature" });
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

#[test]
fn the_official_client_strips_the_types_and_keeps_the_values() {
    let node = need!(Node::ready());
    for wire in ["sse", "proto"] {
        let results = node.verify(&["--wire", wire], &[json!(stream())]);
        let pipeline = &results[0]["pipeline"];
        assert_eq!(pipeline["accepted"], true, "{wire}: {pipeline}");
        let messages = pipeline["messages"].to_string();
        assert!(!messages.contains("encryptedValueType"), "{wire}: {messages}");
        assert_eq!(messages.matches(VALUE).count(), 7, "{wire}: {messages}");
    }
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
