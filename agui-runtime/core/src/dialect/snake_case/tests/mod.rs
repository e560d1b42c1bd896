//! Tests of every row of the tables.

mod round_trip;

use serde_json::{Value, json};

use super::*;
use crate::protocol::{DialectForm, sample_events};
use crate::receive::FrameWarning;

/// Translates records, and drops the RUN_STARTED before all of them.
fn read(records: &[(&str, Value)]) -> Vec<Value> {
    let mut reader = Reader::new("t", "r");
    let mut events = Vec::new();
    for (name, payload) in records {
        reader.read(Some(name), &payload.to_string(), &mut events).unwrap();
    }
    reader.finish(&mut events);
    let mut events = events.iter().map(|event| serde_json::to_value(event).unwrap());
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1" });
    assert_eq!(events.next(), Some(started));
    events.collect()
}

#[test]
fn every_event_of_the_dialect_is_translated() {
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
fn a_text_ends_before_another_event_and_every_span_is_closed() {
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
fn a_malformed_record_is_refused() {
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
fn every_part_of_a_request_is_translated() {
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
    let mut lost = Vec::new();
    let mut log = |warning: FrameWarning| lost.push(warning.path().to_owned());
    let input = request(&asked).into_input_with("fresh", "r", &mut log).unwrap();
    assert_eq!(lost, ["/messages/1/content/4"]);
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

    // Back again, in the simplest form that the dialect has.
    let back = ChatRequest::of(&input);
    assert_eq!(back.clone().into_input("x", "r").unwrap(), input);
    assert_eq!((back.thread_id.as_deref(), back.messages.len()), (Some("fresh"), 4));

    let both = json!({ "type": "image", "data": "aGk=", "mime_type": "image/png", "url": "u" });
    let untyped = json!({ "type": "file", "data": "aGk=", "url": "u" });
    let odd = json!({ "mo/od": 1, "messages": [
        { "role": "user", "content": [both, untyped] }, { "role": "assistant", "content": [both] },
    ] });
    let mut lost = Vec::new();
    let mut log = |warning: FrameWarning| lost.push(warning.path().to_owned());
    request(&odd).into_input_with("t", "r", &mut log).unwrap();
    let expected =
        ["/mo~1od", "/messages/0/content/0/url", "/messages/0/content/1/data", "/messages/1/content/0"];
    assert_eq!(lost, expected);

    let no_type =
        json!({ "messages": [{ "role": "user", "content": [{ "type": "image", "data": "aGk=" }] }] });
    let error = request(&no_type).into_input("t", "r").unwrap_err();
    assert_eq!(error.to_string(), "block 0 of message 0 has data but no `mime_type`");
    let no_source = json!({ "messages": [{ "role": "user", "content": [{ "type": "image" }] }] });
    assert!(matches!(
        request(&no_source).into_input("t", "r"),
        Err(DialectError::NoSource { message: 0, block: 0 })
    ));
}

#[test]
fn each_kind_of_loss_is_reported_once() {
    use crate::protocol::*;

    let mut lost = Vec::new();
    let mut warn = |warning: crate::receive::FrameWarning| {
        assert_eq!(*warning.kind(), crate::receive::WarningKind::Untranslatable);
        lost.push(format!("{}{}", warning.event(), warning.path()));
    };
    let start = TextMessageStartEvent::new("u").with_role(TextMessageRole::User);
    let success = RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(vec!["c".into()]);
    let events: [Event; 10] = [
        RunStartedEvent::new("t", "r").with_parent_run_id("p").into(),
        StateSnapshotEvent::new(json!({})).into(),
        StateSnapshotEvent::new(json!([])).into(),
        StepStartedEvent::new("plan").into(),
        start.into(),
        TextMessageContentEvent::new("u", "Hi").into(),
        ToolCallStartEvent::new("c", "price").with_parent_message_id("m").into(),
        ToolCallEndEvent::new("c").with_metadata(Metadata::from_iter([("k", json!(1))])).into(),
        ToolCallResultEvent::new("m", "c", Content::Parts(vec![])).with_subagent_run_id("s").into(),
        RunFinishedEvent::new("t", "r").with_result(NonNull::from(1)).with_outcome(success).into(),
    ];
    let (mut writer, mut out) = (Writer::new(), Vec::new());
    for event in &events {
        writer.encode_with(event, &mut out, &mut warn).unwrap();
    }
    let expected = [
        "RUN_STARTED/parentRunId",
        "STATE_SNAPSHOT",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TOOL_CALL_START/parentMessageId",
        "TOOL_CALL_END/metadata",
        "TOOL_CALL_RESULT/subagentRunId",
        "TOOL_CALL_RESULT/content",
        "RUN_FINISHED/result",
        "RUN_FINISHED/outcome/pendingToolCallIds",
    ];
    assert_eq!(lost, expected);

    let mut lost = Vec::new();
    let mut reader = Reader::new("t", "r");
    for (name, data) in [
        ("tool_call_start", r#"{"toolCallId":"c","toolCallName":"n","agent":"a","thread_id":"t"}"#),
        ("tool_call_start", r#"{"toolCallId":"d","toolCallName":"n","agent":"b"}"#),
        ("status", r#"{"type":"running","load":1}"#),
        ("status", r#"{"type":"complete","message":"done"}"#),
        ("message", r#"{"content":"late"}"#),
    ] {
        let mut warn = |warning: crate::receive::FrameWarning| {
            lost.push(format!("{}{}", warning.event(), warning.path()));
        };
        reader.read_with(Some(name), data, &mut Vec::new(), &mut warn).unwrap();
    }
    assert_eq!(lost, ["tool_call_start/agent", "status/message", "message"]);

    let mut input = RunAgentInput::new(
        "t",
        "r",
        vec![
            AssistantMessage::new("a")
                .with_tool_calls(vec![ToolCall::new("c", FunctionCall::new("n", "{}"))])
                .into(),
            ToolMessage::new("m", "42", "c").into(),
        ],
    );
    input.tools = Some([Tool::new("n", "d")].into());
    input.state = NonNull::new(json!({ "n": 1 }));
    input.forwarded_props = NonNull::new(json!({ "model_id": 1, "theme": "dark" }));
    let mut lost = Vec::new();
    let _ = ChatRequest::of_with(&input, &mut |warning| lost.push(warning.path().to_owned()));
    assert_eq!(lost, ["/state", "/tools", "/forwardedProps/theme", "/messages/0/toolCalls", "/messages/1"]);
}

#[test]
fn encrypted_values_of_a_request_are_reported_as_lost() {
    use crate::protocol::{
        AssistantMessage, EncryptedValue, FunctionCall, ReasoningMessage, RunAgentInput, ToolCall,
        ToolMessage, UserMessage,
    };
    let signed = || EncryptedValue::new("x").with_type("acme.signature");
    let call = ToolCall::new("c", FunctionCall::new("n", "{}")).with_encrypted(signed());
    let messages = vec![
        UserMessage::new("u", "Hi").with_encrypted(signed()).into(),
        ReasoningMessage::new("r", "Hm.").with_encrypted_value("x").into(),
        AssistantMessage::new("a").with_tool_calls([call]).with_encrypted(signed()).into(),
        ToolMessage::new("t", "42", "c").with_encrypted(signed()).into(),
    ];
    let input = RunAgentInput::new("t", "r", messages);
    let mut lost = Vec::new();
    let request = ChatRequest::of_with(&input, &mut |warning| {
        assert_eq!(*warning.kind(), crate::receive::WarningKind::Untranslatable);
        lost.push(warning.path().to_owned());
    });
    assert!(!serde_json::to_string(&request).unwrap().contains("acme"), "the dialect has no place");
    assert_eq!(
        lost,
        [
            "/messages/0/encryptedValue",
            "/messages/0/encryptedValueType",
            "/messages/1/encryptedValue",
            "/messages/2/toolCalls",
            "/messages/2/encryptedValue",
            "/messages/2/encryptedValueType",
            "/messages/3",
        ]
    );
}

#[test]
fn a_call_whose_result_comes_first_ends_once() {
    let start = ("tool_call_start", json!({ "toolCallId": "c", "toolCallName": "price" }));
    let result = ("tool_result", json!({ "toolCallId": "c", "content": "1" }));
    let end = ("tool_call_end", json!({ "toolCallId": "c" }));
    let kinds = |records: &[(&str, Value)]| -> Vec<String> {
        read(records).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    };
    let once = ["TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_RESULT"];
    assert_eq!(kinds(&[start.clone(), result.clone(), end.clone()]), once);
    assert_eq!(kinds(&[start, end, result]), once);
}

#[test]
fn every_event_is_written_as_the_table_says() {
    for event in sample_events() {
        let mut lost = Vec::new();
        let event_type = event.event_type();
        let written = Writer::new().encode_with(&event, &mut Vec::new(), &mut |warning| {
            lost.push(warning.to_string());
        });
        let is_lost = lost.iter().any(|warning| warning.starts_with(&format!("{event_type}: it is lost")));
        match event_type.dialect() {
            DialectForm::Written => assert!(written.is_ok() && !is_lost, "{event_type}"),
            DialectForm::Named => written.unwrap(),
            DialectForm::Lost => assert!(written.is_ok() && is_lost, "{event_type}"),
            DialectForm::Expanded => assert!(written.is_err(), "{event_type}"),
        }
    }
}
