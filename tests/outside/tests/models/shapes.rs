//! Answers whose parts come in an order or under numbers that a reader may not expect.
//!
//! The mock numbers the calls of Chat Completions itself, from 0 on, and writes no error after the beginning of a stream. A server of
//! ours sends those: `tests/tests/providers`, `defects.rs` and `failures.rs`.

use agui_runtime::protocol::Event;
use agui_runtime::testing;
use agui_tests::http::Request;
use agui_tests::model_server::quick;
use agui_tests::need;
use agui_tests::outside::ModelMock;
use serde_json::{Value, json};

use crate::agent::{DIALECTS, run};

fn rice(id: &str) -> Value {
    json!({ "name": "price", "arguments": "{\"name\":\"rice\"}", "id": id })
}

fn salt(id: &str) -> Value {
    json!({ "name": "price", "arguments": "{\"name\":\"salt\"}", "id": id })
}

fn fixture(said: &str, response: &Value) -> [Value; 2] {
    [
        json!({ "match": { "userMessage": said, "hasToolResult": false }, "response": response, "chunkSize": 4 }),
        json!({ "match": { "userMessage": said, "hasToolResult": true }, "response": { "content": "Done." } }),
    ]
}

fn mock(said: &str, response: &Value) -> Result<ModelMock, agui_tests::outside::Missing> {
    ModelMock::start(&fixture(said, response).as_slice().into())
}

fn results(events: &[Event]) -> Vec<String> {
    let result = |event: &Event| match event {
        Event::ToolCallResult(result) => Some(result.content.text().into_owned()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

/// The stream of an answer, as the mock sends it.
fn stream(mock: &ModelMock, path: &str, body: &Value) -> String {
    let request = Request::new("POST", path)
        .header("content-type", "application/json")
        .header("authorization", "Bearer a key")
        .header("x-api-key", "a key")
        .header("anthropic-version", "2023-06-01")
        .body(body.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(request.send(mock.address())).text().to_owned()
}

fn asked(said: &str) -> Value {
    json!({ "model": "m", "stream": true, "max_tokens": 99, "messages": [{ "role": "user", "content": said }] })
}

/// The part before it has the index 0.
#[test]
fn a_call_whose_index_starts_at_1_is_made_once() {
    let mock =
        need!(mock("first words", &json!({ "content": "Let me see.", "toolCalls": [rice("a"), salt("b")] })));
    let sent = stream(&mock, "/v1/messages", &asked("first words"));
    let start =
        sent.lines().find(|line| line.contains("tool_use") && line.contains("content_block")).unwrap();
    assert!(start.contains(r#""index":1"#), "{start}");
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("first words"));
        assert_eq!(results(&events), ["180", "90"], "{dialect}: {}", testing::lines(&events));
        assert_eq!(testing::texts(&events), ["Let me see.", "Done."], "{dialect}");
    }
    need!(mock.check_requests());
}

#[test]
fn text_behind_the_calls_is_a_part_of_the_turn() {
    let blocks = json!({ "blocks": [
        { "type": "toolCall", "name": "price", "arguments": "{\"name\":\"rice\"}" },
        { "type": "text", "text": "And this." },
        { "type": "toolCall", "name": "price", "arguments": "{\"name\":\"salt\"}" },
    ] });
    let mock = need!(mock("calls first", &blocks));
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("calls first"));
        assert_eq!(results(&events), ["180", "90"], "{dialect}: {}", testing::lines(&events));
        assert_eq!(testing::texts(&events), ["And this.", "Done."], "{dialect}");
    }
    need!(mock.check_requests());
}

#[test]
fn an_empty_first_text_sends_nothing() {
    let mock = need!(mock("hello", &json!({ "content": "Hello." })));
    let sent = stream(&mock, "/v1/chat/completions", &asked("hello"));
    let first = sent.lines().find(|line| line.starts_with("data:")).unwrap();
    assert!(first.contains(r#""content":"""#), "{first}");
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("hello"));
        let is_empty =
            |event: &Event| matches!(event, Event::TextMessageContent(text) if text.delta.is_empty());
        assert!(!events.iter().any(is_empty), "{dialect}: {}", testing::lines(&events));
        assert_eq!(testing::texts(&events), ["Hello."], "{dialect}");
    }
    need!(mock.check_requests());
}

/// Two calls of one id would be one call to a client, and providers refuse a history with both.
#[test]
fn two_calls_of_one_id_are_two_calls() {
    let mock = need!(mock("same id", &json!({ "toolCalls": [rice("same"), salt("same")] })));
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("same id"));
        let lines = testing::lines(&events);
        assert_eq!(results(&events), ["180", "90"], "{dialect}: {lines}");
        let ids: std::collections::HashSet<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::ToolCallStart(start) => Some(start.tool_call_id.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(ids.len(), 2, "{dialect}: {lines}");
    }
    need!(mock.check_requests());
}
