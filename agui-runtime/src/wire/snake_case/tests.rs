//! Every row of the tables, and what comes back of what is carried.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::order::Verifier;
use crate::protocol::{Event, Message, RunAgentInput};
use crate::receive::Pipeline;
use crate::wire::sse;

/// What records become, without the start that stands before all of them.
fn read(records: &[(&str, Value)]) -> Vec<Value> {
    let mut reader = Reader::new("t", "r");
    let mut events = Vec::new();
    for (name, payload) in records {
        reader.read(Some(name), &payload.to_string(), &mut events).unwrap();
    }
    reader.finish(&mut events);
    let mut events = events.iter().map(|event| serde_json::to_value(event).unwrap());
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0" });
    assert_eq!(events.next(), Some(started));
    events.collect()
}

#[test]
fn every_event_of_the_dialect_has_its_own() {
    let rows = [
        (
            "tool_call_start",
            json!({ "toolCallId": "c", "toolCallName": "price", "thread_id": "t", "agent": "a" }),
            json!([{ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "price" }]),
        ),
        (
            "tool_call_args",
            json!({ "toolCallId": "c", "delta": "{" }),
            json!([{ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{" }]),
        ),
        (
            "tool_call_end",
            json!({ "toolCallId": "c" }),
            json!([{ "type": "TOOL_CALL_END", "toolCallId": "c" }]),
        ),
        (
            "tool_result",
            json!({ "toolCallId": "c", "content": "1" }),
            json!([{ "type": "TOOL_CALL_RESULT", "messageId": "r-message-1", "toolCallId": "c", "content": "1" }]),
        ),
        (
            "tool_result",
            json!({ "toolCallId": "c", "content": { "n": 1 }, "role": "tool" }),
            json!([{ "type": "TOOL_CALL_RESULT", "messageId": "r-message-1", "toolCallId": "c", "content": "{\"n\":1}" }]),
        ),
        (
            "reasoning_start",
            json!({ "messageId": "m" }),
            json!([{ "type": "REASONING_START", "messageId": "m" }]),
        ),
        (
            "reasoning_message_start",
            json!({ "messageId": "m", "role": "assistant" }),
            json!([{ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" }]),
        ),
        (
            "reasoning_message_content",
            json!({ "messageId": "m", "delta": "hm" }),
            json!([
                { "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" },
                { "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "hm" },
            ]),
        ),
        ("reasoning_message_end", json!({ "messageId": "m" }), json!([])),
        ("reasoning_end", json!({ "messageId": "m" }), json!([])),
        (
            "message",
            json!({ "content": "Hi", "agent": "cook", "thread_id": "t" }),
            json!([
                { "type": "TEXT_MESSAGE_START", "messageId": "r-message-1", "role": "assistant", "name": "cook" },
                { "type": "TEXT_MESSAGE_CONTENT", "messageId": "r-message-1", "delta": "Hi" },
            ]),
        ),
        ("status", json!({ "type": "start", "message": "…", "thread_id": "t" }), json!([])),
        (
            "status",
            json!({ "type": "running", "thread_id": "t", "message": "busy" }),
            json!([{ "type": "CUSTOM", "name": "snake_case:status", "value": { "type": "running", "message": "busy" } }]),
        ),
        (
            "status",
            json!({ "type": "complete" }),
            json!([{ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }]),
        ),
        (
            "status",
            json!({ "type": "error", "message": "no" }),
            json!([{ "type": "RUN_ERROR", "message": "no" }]),
        ),
        (
            "error",
            json!({ "type": "error", "message": "no", "code": "X" }),
            json!([{ "type": "RUN_ERROR", "message": "no", "code": "X" }]),
        ),
        (
            "sandbox_ready",
            json!({ "port": 1, "type": "RUN_ERROR" }),
            json!([{ "type": "CUSTOM", "name": "snake_case:sandbox_ready", "value": { "port": 1, "type": "RUN_ERROR" } }]),
        ),
    ];
    for (name, payload, expected) in rows {
        assert_eq!(Value::from(read(&[(name, payload.clone())])), expected, "{name} {payload}");
    }
}

#[test]
fn a_text_goes_on_until_something_else_happens_and_everything_is_closed() {
    let events = read(&[
        ("message", json!({ "content": "a" })),
        ("status", json!({ "type": "running" })),
        ("message", json!({ "content": "b" })),
        ("message", json!({ "content": "c", "agent": "other" })),
        ("reasoning_start", json!({ "messageId": "m" })),
        ("reasoning_message_content", json!({ "messageId": "m", "delta": "hm" })),
        ("tool_call_start", json!({ "toolCallId": "c", "toolCallName": "price" })),
        ("error", json!({ "message": "never mind" })),
        ("message", json!({ "content": "d" })),
        ("status", json!({ "type": "complete" })),
        ("message", json!({ "content": "too late" })),
    ]);
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let expected = [
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "CUSTOM",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "TOOL_CALL_START",
        "CUSTOM",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "TOOL_CALL_END",
        "RUN_FINISHED",
    ];
    assert_eq!(types, expected);
}

#[test]
fn what_is_neither_is_refused() {
    for (name, data) in [
        ("message", "[1]"),
        ("message", "no"),
        ("message", "{}"),
        ("status", "{}"),
        ("tool_call_args", r#"{"toolCallId":"c"}"#),
    ] {
        assert!(Reader::new("t", "r").read(Some(name), data, &mut Vec::new()).is_err(), "{name} {data}");
    }
}

fn request(json: &Value) -> ChatRequest {
    serde_json::from_value(json.clone()).unwrap()
}

#[test]
fn every_row_of_a_request_has_its_own() {
    let asked = json!({
        "messages": [
            { "role": "system", "content": [{ "type": "text", "text": "be " }, { "type": "text", "text": "brief" }] },
            { "role": "user", "content": [
                { "type": "text", "text": "see" },
                { "type": "image", "url": "https://example.org/a.png" },
                { "type": "audio", "data": "aGk=", "mime_type": "audio/wav" },
                { "type": "file", "url": "https://example.org/a.pdf", "mime_type": "application/pdf" },
                { "type": "hologram", "beam": 1 },
            ] },
            { "role": "assistant", "content": [
                { "type": "reasoning", "reasoning": "hm" }, { "type": "text", "text": "I see" },
            ] },
            { "role": "user", "content": "and?" },
        ],
        "agent_id": 7, "model_id": "m", "enable_deep_thinking": true,
    });
    let input = request(&asked).into_input("fresh", "r").unwrap();
    let expected = json!({
        "threadId": "fresh", "runId": "r",
        "messages": [
            { "id": "r-1", "role": "system", "content": "be brief" },
            { "id": "r-2", "role": "user", "content": [
                { "type": "text", "text": "see" },
                { "type": "image", "source": { "type": "url", "value": "https://example.org/a.png" } },
                { "type": "audio", "source": { "type": "data", "value": "aGk=", "mimeType": "audio/wav" } },
                { "type": "document", "source":
                    { "type": "url", "value": "https://example.org/a.pdf", "mimeType": "application/pdf" } },
            ] },
            { "id": "r-3", "role": "reasoning", "content": "hm" },
            { "id": "r-4", "role": "assistant", "content": "I see" },
            { "id": "r-5", "role": "user", "content": "and?" },
        ],
        "forwardedProps": { "agent_id": 7, "model_id": "m", "enable_deep_thinking": true },
    });
    assert_eq!(serde_json::to_value(&input).unwrap(), expected);

    // Back again: what was said, in the simplest way there is for it.
    let back = ChatRequest::of(&input);
    assert_eq!(back.clone().into_input("x", "r").unwrap(), input);
    assert_eq!((back.thread_id.as_deref(), back.messages.len()), (Some("fresh"), 4));

    let no_type =
        json!({ "messages": [{ "role": "user", "content": [{ "type": "image", "data": "aGk=" }] }] });
    let error = request(&no_type).into_input("t", "r").unwrap_err();
    assert_eq!(error.to_string(), "block 0 of message 0 has data and no `mime_type`");
    let no_source = json!({ "messages": [{ "role": "user", "content": [{ "type": "image" }] }] });
    assert!(matches!(
        request(&no_source).into_input("t", "r"),
        Err(DialectError::NoSource { message: 0, block: 0 })
    ));
}

/// What of a conversation the dialect carries: who said what, in order, texts that follow each other as one.
fn carried(messages: &[Message]) -> Vec<(String, String)> {
    let mut said: Vec<(String, String)> = Vec::new();
    for message in messages {
        match message {
            Message::Assistant(message) => {
                let text = message.content.clone().unwrap_or_default();
                let by = format!("text of {}", message.name.as_deref().unwrap_or_default());
                match said.last_mut() {
                    Some((last, before)) if *last == by => before.push_str(&text),
                    _ if text.is_empty() => {}
                    _ => said.push((by, text)),
                }
                for call in message.tool_calls() {
                    said.push((
                        format!("call {} of {}", call.id, call.function.name),
                        call.function.arguments.clone(),
                    ));
                }
            }
            Message::Tool(message) => {
                said.push((format!("result {}", message.tool_call_id), message.content.text().into_owned()));
            }
            Message::Reasoning(message) => {
                said.push((format!("reasoning {}", message.id), message.content.clone()));
            }
            _ => {}
        }
    }
    said
}

fn fold(events: &[Event]) -> Vec<Message> {
    let mut pipeline = Pipeline::new().answering(&RunAgentInput::new("t", "r", []));
    for event in events {
        pipeline.receive(event.clone(), |_, _, _| {}).unwrap_or_else(|error| panic!("{error}: {events:#?}"));
    }
    pipeline.into_reducer().into_parts().0
}

/// One thing that is said, called or thought, one after the other.
#[derive(Debug, Clone)]
enum Act {
    Text(Option<String>, Vec<String>),
    Call(String, Vec<String>, Option<String>),
    Reasoning(Vec<String>),
    Lost(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let pieces = || prop::collection::vec("[ -~é🦀\n]{1,6}", 1..4);
    prop_oneof![
        (prop::option::of("[ab]"), pieces()).prop_map(|(name, pieces)| Act::Text(name, pieces)),
        ("[a-c]{1,3}", pieces(), prop::option::of(".{0,5}"))
            .prop_map(|(name, args, result)| Act::Call(name, args, result)),
        pieces().prop_map(Act::Reasoning),
        any::<u8>().prop_map(Act::Lost),
    ]
}

fn stream(acts: &[Act], ends: &str) -> Vec<Event> {
    let mut events =
        vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0" })];
    for (at, act) in acts.iter().enumerate() {
        let id = format!("id-{at}");
        match act {
            Act::Text(name, pieces) => {
                let mut start = json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" });
                if let Some(name) = name {
                    start["name"] = json!(name);
                }
                events.push(start);
                events.extend(pieces.iter().map(|piece| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": piece })));
                events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
            }
            Act::Call(name, args, result) => {
                events.push(json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name }));
                events.extend(args.iter().map(|piece| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": piece })));
                events.push(json!({ "type": "TOOL_CALL_END", "toolCallId": id }));
                if let Some(content) = result {
                    events.push(json!({ "type": "TOOL_CALL_RESULT", "toolCallId": id, "messageId": format!("{id}-result"), "content": content }));
                }
            }
            Act::Reasoning(pieces) => {
                events.push(json!({ "type": "REASONING_START", "messageId": id }));
                events.push(json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" }));
                events.extend(pieces.iter().map(|piece| json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": piece })));
                events.push(json!({ "type": "REASONING_MESSAGE_END", "messageId": id }));
                events.push(json!({ "type": "REASONING_END", "messageId": id }));
            }
            Act::Lost(what) => events.extend(match what % 4 {
                0 => vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": what })],
                1 => vec![json!({ "type": "STEP_STARTED", "stepName": id }), json!({ "type": "STEP_FINISHED", "stepName": id })],
                2 => vec![json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": "PLAN", "content": {} })],
                _ => vec![json!({ "type": "CUSTOM", "name": "own", "value": what })],
            }),
        }
    }
    events.push(match ends {
        "error" => json!({ "type": "RUN_ERROR", "message": "no", "code": "X" }),
        _ => json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }),
    });
    serde_json::from_value(events.into()).unwrap()
}

fn written(events: &[Event]) -> Vec<u8> {
    let mut writer = Writer::new();
    let mut bytes = Vec::new();
    for event in events {
        writer.encode(event, &mut bytes).unwrap();
    }
    bytes
}

fn read_back(bytes: &[u8]) -> Vec<Event> {
    let mut decoder = sse::Decoder::new();
    decoder.push(bytes);
    let mut reader = Reader::new("t", "r");
    let mut events = Vec::new();
    while let Some(record) = decoder.next_record().unwrap() {
        reader.read(record.event.as_deref(), &record.data, &mut events).unwrap();
    }
    reader.finish(&mut events);
    events
}

proptest! {
    #[test]
    fn what_the_dialect_can_say_comes_back(
        acts in prop::collection::vec(act(), 0..8),
        ends in prop_oneof![Just("error"), Just("complete")],
    ) {
        let events = stream(&acts, ends);
        let bytes = written(&events);
        let back = read_back(&bytes);
        let mut verifier = Verifier::new();
        for event in &back {
            prop_assert!(verifier.check(event).is_ok(), "{back:#?}");
        }
        prop_assert_eq!(carried(&fold(&back)), carried(&fold(&events)));
        prop_assert_eq!(back.last(), events.last());
        // Nothing more is lost the second time.
        prop_assert_eq!(written(&back), bytes);
    }

    #[test]
    fn whatever_comes_is_read_without_a_panic_into_what_is_in_order(
        records in prop::collection::vec(("[a-z_]{0,6}|message|status|error|reasoning_end|tool_result", any::<bool>()), 0..12),
    ) {
        let mut reader = Reader::new("t", "r");
        let mut events = Vec::new();
        for (name, whole) in &records {
            let payload = if *whole {
                json!({ "content": name, "type": "running", "messageId": "m", "toolCallId": "c", "delta": "" })
            } else {
                json!({})
            };
            let _ = reader.read(Some(name), &payload.to_string(), &mut events);
        }
        reader.finish(&mut events);
        let mut verifier = Verifier::new();
        for event in &events {
            prop_assert!(verifier.check(event).is_ok(), "{events:#?}");
        }
    }
}
