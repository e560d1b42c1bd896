//! The wire form of each thing, row by row (AG-UI 1.0, sections "JSON ↔ protobuf" and "Binary framing").

use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{Event, RunFinishedEvent, StepStartedEvent};
use agui_runtime::receive::{FrameIntake, FrameWarning, RejectCode, ShapeEnforcer, WarningKind};
use agui_runtime::wire::proto::{self, DecodeFault, Decoded, Decoder, EncodeError, FrameError, MAX_FRAME};
use prost::Message as _;
use serde_json::{Value, json};

use super::{bytes, hex, message};
use agui_tests::wire::ag_ui::{self, event::Event as Member};

/// An event as JSON has it.
fn event(json: Value) -> Event {
    ShapeEnforcer::new().event(json, &mut |warning| panic!("{warning}")).unwrap().unwrap()
}

/// The event after writing and reading.
fn there_and_back(json: Value) -> Value {
    decoded(&message(&event(json)))
}

fn decoded(message: &[u8]) -> Value {
    match proto::decode(message) {
        Ok(Decoded::Event { json, lost }) if lost.is_empty() => json,
        other => panic!("{}: {other:?}", hex(message)),
    }
}

fn fault(message: &[u8]) -> DecodeFault {
    match proto::decode(message) {
        Err(error) => error.fault(),
        Ok(decoded) => panic!("{}: {decoded:?}", hex(message)),
    }
}

/// prost's bytes of a member; prost writes exactly the given values.
fn prost(event: Member) -> Vec<u8> {
    ag_ui::Event { event: Some(event) }.encode_to_vec()
}

fn base(code: i32) -> Option<ag_ui::BaseEvent> {
    Some(ag_ui::BaseEvent { r#type: code, ..Default::default() })
}

const STEP: &[u8] = &[0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b's'];

#[test]
fn the_type_is_said_twice() {
    assert_eq!(hex(&message(&StepStartedEvent::new("s").into())), hex(STEP));
    assert_eq!(there_and_back(json!({ "type": "TEXT_MESSAGE_START", "messageId": "m" }))["messageId"], "m");
    assert_eq!(fault(&[0x7a, 0x03, 0x12, 0x01, b's']), DecodeFault::NoBase);
    assert_eq!(fault(&[0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0f, 0x12, 0x01, b's']), DecodeFault::OtherType);
}

#[test]
fn null_in_a_value_is_kept() {
    for event in [
        json!({ "type": "STATE_SNAPSHOT", "snapshot": null }),
        json!({ "type": "CUSTOM", "name": "c", "value": { "a": [null] } }),
        json!({ "type": "STEP_STARTED", "stepName": "s", "metadata": { "a": null } }),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/a", "value": null }] }),
    ] {
        assert_eq!(there_and_back(event.clone()), event);
    }
}

#[test]
fn content_is_text_or_parts() {
    let result = |content| json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": content });
    for content in [json!(""), json!("x"), json!([]), json!([{ "type": "text", "text": "" }])] {
        assert_eq!(there_and_back(result(content.clone())), result(content));
    }
    let both = ag_ui::ToolCallResultEvent {
        base_event: base(21),
        content: Some("x".to_owned()),
        content_parts: vec![ag_ui::InputContent::default()],
        ..Default::default()
    };
    assert_eq!(fault(&prost(Member::ToolCallResult(both))), DecodeFault::TwoContents);
}

/// The snapshot of one message.
fn snapshot(message: ag_ui::Message) -> Vec<u8> {
    prost(Member::MessagesSnapshot(ag_ui::MessagesSnapshotEvent {
        base_event: base(8),
        messages: vec![message],
    }))
}

fn of_role(role: &str) -> ag_ui::Message {
    ag_ui::Message { id: "1".to_owned(), role: role.to_owned(), ..Default::default() }
}

#[test]
fn content_is_that_of_the_role() {
    let text = |role| ag_ui::Message { content: Some("x".to_owned()), ..of_role(role) };
    let parts =
        |role| ag_ui::Message { content_parts: vec![ag_ui::InputContent::default()], ..of_role(role) };
    let activity =
        |role| ag_ui::Message { activity_content: Some(prost_types::Struct::default()), ..of_role(role) };
    for role in ["developer", "system", "assistant", "reasoning"] {
        assert_eq!(fault(&snapshot(parts(role))), DecodeFault::ForeignContent, "{role}");
        assert_eq!(fault(&snapshot(activity(role))), DecodeFault::ForeignContent, "{role}");
        assert_eq!(decoded(&snapshot(of_role(role)))["messages"][0].get("content"), None, "{role}");
    }
    for role in ["user", "tool"] {
        assert_eq!(fault(&snapshot(activity(role))), DecodeFault::ForeignContent, "{role}");
        assert_eq!(decoded(&snapshot(of_role(role)))["messages"][0]["content"], json!([]), "{role}");
        let both = ag_ui::Message { content: Some(String::new()), ..parts(role) };
        assert_eq!(fault(&snapshot(both)), DecodeFault::TwoContents, "{role}");
    }
    assert_eq!(fault(&snapshot(parts("activity"))), DecodeFault::ForeignContent);
    assert_eq!(fault(&snapshot(text("activity"))), DecodeFault::TwoContents);
    assert_eq!(decoded(&snapshot(activity("activity")))["messages"][0]["content"], json!({}));
    // An unknown role is rebuilt, and stripped later.
    assert_eq!(decoded(&snapshot(text("wizard")))["messages"][0]["content"], "x");
    assert_eq!(decoded(&snapshot(activity("wizard")))["messages"][0]["content"], json!({}));
    let both = ag_ui::Message { activity_content: Some(prost_types::Struct::default()), ..text("wizard") };
    assert_eq!(fault(&snapshot(both)), DecodeFault::TwoContents);
}

#[test]
fn a_part_of_a_later_version_is_left_out_with_its_place() {
    use ag_ui::input_content::Part;
    let text = |text: &str| ag_ui::InputContent {
        part: Some(Part::Text(ag_ui::TextInputPart { text: text.to_owned(), ..Default::default() })),
    };
    let unknown_source = ag_ui::InputContent {
        part: Some(Part::Image(ag_ui::ImageInputPart {
            source: Some(ag_ui::InputContentSource::default()),
            ..Default::default()
        })),
    };
    let parts = vec![text("a"), ag_ui::InputContent::default(), unknown_source, text("b")];
    let snapshot = snapshot(ag_ui::Message { content_parts: parts, ..of_role("user") });
    let Ok(Decoded::Event { json, lost }) = proto::decode(&snapshot) else { panic!() };
    assert_eq!(json["messages"][0]["content"].as_array().unwrap().len(), 2);
    assert_eq!(lost, ["/messages/0/content/1", "/messages/0/content/2"]);

    let mut warnings: Vec<FrameWarning> = Vec::new();
    assert!(FrameIntake::new().proto(&snapshot, &mut |warning| warnings.push(warning)).unwrap().is_some());
    assert_eq!((warnings[1].event(), warnings[1].path()), ("MESSAGES_SNAPSHOT", "/messages/0/content/2"));
    let strict = FrameIntake::new().with_strictness(OrderStrictness::Producer).proto(&snapshot, &mut |_| {});
    assert_eq!(strict.unwrap_err().code(), RejectCode::Unknown);

    // Two kinds in the place of one.
    let two = bytes("b201130a0208151a016d2201633a070a030a01791200");
    assert_eq!(fault(&two), DecodeFault::TwoMembers);
}

#[test]
fn an_outcome_is_a_text_with_lists_beside_it() {
    let finished =
        |outcome: Value| json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome });
    for outcome in [
        json!({ "type": "success" }),
        json!({ "type": "success", "pendingToolCallIds": ["a", "b"] }),
        json!({ "type": "cancelled" }),
        json!({ "type": "interrupt", "interrupts": [{ "id": "i", "reason": "r", "responseSchema": {}, "metadata": { "a": null } }] }),
    ] {
        assert_eq!(there_and_back(finished(outcome.clone())), finished(outcome));
    }
    let without = message(&RunFinishedEvent::new("t", "r").into());
    assert_eq!(decoded(&without).get("outcome"), None);

    let wire = |outcome: &str, pending: &[&str]| {
        prost(Member::RunFinished(ag_ui::RunFinishedEvent {
            base_event: base(12),
            outcome: outcome.to_owned(),
            pending_tool_call_ids: pending.iter().map(|id| (*id).to_owned()).collect(),
            ..Default::default()
        }))
    };
    assert_eq!(
        decoded(&wire("paused", &["c"]))["outcome"],
        json!({ "type": "paused", "pendingToolCallIds": ["c"] })
    );
    assert_eq!(decoded(&wire("interrupt", &[]))["outcome"], json!({ "type": "interrupt", "interrupts": [] }));
    let refused = FrameIntake::new().proto(&wire("interrupt", &[]), &mut |_| {}).unwrap_err();
    assert_eq!((refused.code(), refused.path()), (RejectCode::Malformed, "/outcome/interrupts"));
    // Without an outcome, enforcement finds the members that have no place.
    let mut places = Vec::new();
    FrameIntake::new()
        .proto(&wire("", &["c"]), &mut |warning| places.push(warning.path().to_owned()))
        .unwrap();
    assert_eq!(places, ["/pendingToolCallIds"]);

    for outcome in [json!({ "type": "success" }), json!({ "type": "suspended", "interruptIds": ["i"] })] {
        let finished = json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "", "outcome": outcome });
        assert_eq!(there_and_back(finished.clone()), finished);
    }
}

#[test]
fn empty_lists_are_absent_except_in_inputs() {
    let usage = json!({ "type": "RUN_ERROR", "message": "m", "usage": [] });
    assert_eq!(there_and_back(usage), json!({ "type": "RUN_ERROR", "message": "m" }));
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": { "threadId": "t", "runId": "r", "messages": [
        { "id": "a", "role": "assistant", "toolCalls": [] },
    ] } });
    let input = &there_and_back(started)["input"];
    for key in ["tools", "context", "resume"] {
        assert_eq!(input[key], json!([]), "{key}");
    }
    assert_eq!(input["messages"], json!([{ "id": "a", "role": "assistant" }]));
}

#[test]
fn operations_are_numbers_and_keep_what_has_a_place() {
    let delta = json!({ "type": "STATE_DELTA", "delta": [
        { "op": "add", "path": "", "value": {} },
        { "op": "remove", "path": "/a", "value": 1, "note": "lost" },
        { "op": "move", "from": "/a", "path": "/b" },
        { "op": "test", "path": "/b", "value": null },
    ] });
    let mut without_note = delta.clone();
    without_note["delta"][1].as_object_mut().unwrap().shift_remove("note");
    assert_eq!(there_and_back(delta), without_note);

    let unknown = prost(Member::StateDelta(ag_ui::StateDeltaEvent {
        base_event: base(7),
        delta: vec![
            ag_ui::JsonPatchOperation { op: 9, path: "/a".to_owned(), ..Default::default() },
            ag_ui::JsonPatchOperation { op: 1, path: "/b".to_owned(), ..Default::default() },
        ],
        ..Default::default()
    }));
    assert_eq!(decoded(&unknown)["delta"][0], json!({ "op": "9", "path": "/a" }));
    let mut places = Vec::new();
    let event =
        FrameIntake::new().proto(&unknown, &mut |warning| places.push(warning.path().to_owned())).unwrap();
    assert_eq!(places, ["/delta/0"]);
    let removal = event_with_patch(&json!([{ "op": "remove", "path": "/b" }]));
    assert_eq!(event, Some(removal));
}

fn event_with_patch(delta: &Value) -> Event {
    event(json!({ "type": "STATE_DELTA", "delta": delta }))
}

#[test]
fn missing_members_read_as_empty() {
    assert_eq!(
        decoded(&[0x62, 0x04, 0x0a, 0x02, 0x08, 0x0b]),
        json!({ "type": "RUN_STARTED", "threadId": "", "runId": "" })
    );
    // If an empty string is not a legal value, that shows.
    let start =
        message(&event(json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" })));
    let without_role = [&[0xd2, 0x01, 0x07][..], &start[3..10]].concat();
    assert_eq!(decoded(&without_role)["role"], "");
    let refused = FrameIntake::new().proto(&without_role, &mut |_| {}).unwrap_err();
    assert_eq!((refused.code(), refused.path()), (RejectCode::Malformed, "/role"));
    // But a value that is missing is missing.
    let refused = FrameIntake::new().proto(&[0x3a, 0x04, 0x0a, 0x02, 0x08, 0x06], &mut |_| {}).unwrap_err();
    assert_eq!((refused.code(), refused.path()), (RejectCode::Malformed, "/snapshot"));
}

#[test]
fn numbers_are_doubles() {
    let value = |value| json!({ "type": "CUSTOM", "name": "", "value": value });
    assert_eq!(there_and_back(value(json!(1.0))), value(json!(1)));
    assert_eq!(there_and_back(value(json!(0.1))), value(json!(0.1)));
    assert_eq!(there_and_back(value(json!(-0.0))), value(json!(0)));
    let rounded = there_and_back(value(json!(9_007_199_254_740_993_u64)))["value"].as_f64();
    assert_eq!(rounded, Some(9_007_199_254_740_992.0));
    let infinite = prost(Member::Custom(ag_ui::CustomEvent {
        base_event: base(10),
        value: Some(prost_types::Value::from(f64::INFINITY)),
        ..Default::default()
    }));
    assert_eq!(decoded(&infinite)["value"], Value::Null);
}

#[test]
fn integers_are_those_of_javascript() {
    let step = |timestamp| {
        prost(Member::StepStarted(ag_ui::StepStartedEvent {
            base_event: Some(ag_ui::BaseEvent {
                r#type: 14,
                timestamp: Some(timestamp),
                ..Default::default()
            }),
            ..Default::default()
        }))
    };
    const MAX: i64 = (1 << 53) - 1;
    for timestamp in [0, -1, MAX, -MAX] {
        assert_eq!(decoded(&step(timestamp))["timestamp"], timestamp);
    }
    for timestamp in [MAX + 1, -MAX - 1, i64::MIN] {
        assert_eq!(fault(&step(timestamp)), DecodeFault::Integer);
    }
}

#[test]
fn a_member_twice_is_one_and_two_members_are_refused() {
    let other = &[0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b'z'];
    assert_eq!(decoded(&[STEP, other].concat())["stepName"], "z");
    // The values of both are added up.
    let first = [0x7a, 0x08, 0x0a, 0x06, 0x08, 0x0e, 0x22, 0x02, 0x0a, 0x00];
    assert_eq!(
        decoded(&[&first[..], other].concat()),
        json!({ "type": "STEP_STARTED", "stepName": "z", "metadata": {} })
    );
    let finished = message(&RunFinishedEvent::new("t", "r").into());
    assert_eq!(fault(&[STEP, &finished].concat()), DecodeFault::TwoMembers);
}

#[test]
fn an_unknown_member_is_dropped_if_it_could_be_a_message() {
    let unknown = &[0xc2, 0x02, 0x04, 0x0a, 0x02, 0x08, 0x03];
    assert_eq!(proto::decode(unknown), Ok(Decoded::Unknown));
    let mut warnings = Vec::new();
    assert_eq!(FrameIntake::new().proto(unknown, &mut |warning| warnings.push(warning)), Ok(None));
    assert_eq!(warnings[0].kind(), &WarningKind::UnknownEvent);
    let strict = FrameIntake::new().with_strictness(OrderStrictness::Producer).proto(unknown, &mut |_| {});
    assert_eq!(strict.unwrap_err().code(), RejectCode::Unknown);

    assert_eq!(fault(&[0xc2, 0x02, 0x01, 0xff]), DecodeFault::NoEvent);
    assert_eq!(fault(&[]), DecodeFault::NoEvent);
    // Beside a known one it is a field like any other.
    assert_eq!(decoded(&[STEP, &unknown[..]].concat())["stepName"], "s");
}

#[test]
fn broken_bytes_are_refused() {
    assert_eq!(fault(&[0x7a, 0x07]), DecodeFault::Truncated);
    assert_eq!(fault(&[&[0x02, 0x00], STEP].concat()), DecodeFault::Key);
    assert_eq!(fault(&[0x7e, 0x00]), DecodeFault::Key);
    let refused = FrameIntake::new().proto(&[0x7a, 0x07], &mut |_| {}).unwrap_err();
    assert_eq!(refused.code().as_str(), "S_NOT_PROTO");
    assert_eq!(
        refused.to_string(),
        "the frame is not a protobuf message of an event: at byte 2: the bytes end inside of a field"
    );
}

#[test]
fn values_have_a_depth() {
    let nested = |levels| {
        let value = (0..levels).fold(json!(1), |inner, _| json!([inner]));
        message(&agui_runtime::protocol::CustomEvent::new("deep", value).into())
    };
    assert!(FrameIntake::new().proto(&nested(126), &mut |_| {}).unwrap().is_some());
    assert_eq!(fault(&nested(127)), DecodeFault::TooDeep);
}

#[test]
fn frames_are_cut_anywhere() {
    let mut body = Vec::new();
    let events: Vec<Event> = ["", "a", "longer than one byte says it is"]
        .map(|name| StepStartedEvent::new(name.repeat(9)).into())
        .into();
    events.iter().for_each(|event| proto::encode(event, &mut body).unwrap());
    for size in 1..=body.len() {
        let (mut decoder, mut intake, mut read) = (Decoder::new(), FrameIntake::new(), Vec::new());
        for piece in body.chunks(size) {
            decoder.push(piece);
            while let Some(message) = decoder.next().unwrap() {
                read.extend(intake.proto(message, &mut |_| {}).unwrap());
            }
        }
        decoder.finish().unwrap();
        assert_eq!(read, events, "pieces of {size}");
    }
}

#[test]
fn frames_have_a_size() {
    let declared = |declared: u32| {
        let mut decoder = Decoder::new();
        decoder.push(&declared.to_be_bytes());
        decoder.next().map(|message| message.map(<[u8]>::len))
    };
    let most = MAX_FRAME as u32 - 4;
    assert_eq!(declared(most), Ok(None));
    assert_eq!(declared(most + 1), Err(FrameError::TooLong { declared: most + 1, limit: MAX_FRAME }));
    assert_eq!(declared(u32::MAX), Err(FrameError::TooLong { declared: u32::MAX, limit: MAX_FRAME }));
    assert_eq!(declared(0), Ok(Some(0)));

    let mut decoder = Decoder::new();
    decoder.push(&[0, 0, 0, 9, 0x7a]);
    assert_eq!(decoder.next(), Ok(None));
    assert_eq!(decoder.finish(), Err(FrameError::Truncated { held: 5 }));

    // A value that no reader accepts is not written, and the buffer stays as it was.
    let mut out = vec![1, 2, 3];
    let error = proto::encode(&StepStartedEvent::new("x".repeat(MAX_FRAME)).into(), &mut out).unwrap_err();
    assert!(matches!(error, EncodeError::TooLong { length } if length > MAX_FRAME), "{error}");
    assert_eq!(out, [1, 2, 3]);
    let fits = StepStartedEvent::new("x".repeat(MAX_FRAME - 4 - 5 - 4 - 5));
    proto::encode(&fits.into(), &mut out).unwrap();
    let mut decoder = Decoder::new();
    decoder.push(&out[3..]);
    assert!(decoder.next().unwrap().is_some());
}
