//! The official Python models and the independent stream validator.

use std::fmt::Write as _;

use agui_tests::{
    need,
    outside::{Python, Verdict},
};
use serde_json::{Value, json};

use crate::streams;

fn input() -> Value {
    json!({ "threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [] })
}

fn judge(python: &Python, events: &[Value]) -> Verdict {
    let lines: String = events.iter().fold(String::new(), |mut lines, event| {
        writeln!(lines, "{event}").unwrap();
        lines
    });
    let verdict = python.validate_lines(&lines);
    assert_eq!(verdict.event_count, events.len());
    verdict
}

#[test]
fn a_right_stream_is_valid_as_lines_and_as_a_response() {
    let python = need!(Python::ready());
    let events = streams::right(&input());
    judge(&python, &events).assert_ok();
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let verdict = python.validate_sse(&body);
    verdict.assert_ok();
    assert_eq!(verdict.event_count, events.len());
}

#[test]
fn an_illegal_order_is_refused_by_the_stream_validator() {
    let python = need!(Python::ready());
    let verdict = judge(&python, &streams::content_without_start(&input()));
    assert_eq!(verdict.rules(), ["AGUI101"]);
    assert!(!verdict.ok);
    let cut = judge(&python, &streams::cut_off(&input()));
    assert_eq!(cut.rules(), ["AGUI003", "AGUI103"]);
}

#[test]
fn unknown_and_refused_members_are_found_at_their_place() {
    let python = need!(Python::ready());
    let mut events = streams::right(&input());
    events[0]["parentRunId"] = Value::Null;
    events[1]["color"] = json!("red");
    events[2]["delta"] = json!(7);
    let verdict = judge(&python, &events);
    assert!(!verdict.ok);
    let found: Vec<_> = verdict.events.iter().map(|event| (event.index, event.problems.join("; "))).collect();
    assert_eq!(
        found,
        [
            (0, "/parentRunId: null, should be absent".to_owned()),
            (1, "/color: no such member in TextMessageStartEvent".to_owned()),
            (2, "/TEXT_MESSAGE_CONTENT/delta: Input should be a valid string".to_owned()),
        ]
    );
}

#[test]
fn unknown_members_are_found_deep_inside() {
    let python = need!(Python::ready());
    let message = json!({ "id": "m", "role": "assistant", "toolCalls": [
        { "id": "c", "type": "function", "function": { "name": "f", "arguments": "{}", "strict": true } },
    ] });
    let events = [
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }),
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": [message] }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }),
    ];
    let verdict = judge(&python, &events);
    let problems = &verdict.events[0].problems;
    assert_eq!(problems, &["/messages/0/toolCalls/0/function/strict: no such member in FunctionCall"]);
}

#[test]
fn broken_framing_and_an_empty_response_are_not_valid() {
    let python = need!(Python::ready());
    let events = streams::right(&input());
    let mut body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    body.insert_str(0, "{\"type\":\"RUN_STARTED\"}\n\n");
    assert_eq!(python.validate_sse(&body).rules(), ["AGUI501"]);
    assert!(!python.validate_sse("").ok);
}
