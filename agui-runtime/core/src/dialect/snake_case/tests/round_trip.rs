//! Properties of the round trip.

use proptest::prelude::*;
use serde_json::json;

use super::super::{Reader, Writer};
use crate::order::OrderVerifier;
use crate::protocol::{Event, Message, RunAgentInput};
use crate::receive::ReceivePipeline;
use crate::testing::sampled::cases;
use crate::wire::sse;

/// Returns the part of a conversation that the dialect carries: authors and texts, in order, with
/// successive texts joined.
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
    let mut pipeline = ReceivePipeline::new().for_input(&RunAgentInput::new("t", "r", []));
    for event in events {
        pipeline.receive(event.clone(), |_, _, _| {}).unwrap_or_else(|error| panic!("{error}: {events:#?}"));
    }
    pipeline.into_reducer().into_parts().0
}

/// One text, call, reasoning or lost event.
#[derive(Debug, Clone)]
enum Part {
    Text(Option<String>, Vec<String>),
    Call(String, Vec<String>, Option<String>),
    Reasoning(Vec<String>),
    Lost(u8),
}

fn part() -> impl Strategy<Value = Part> {
    let pieces = || prop::collection::vec("[ -~é🦀\n]{1,6}", 1..4);
    prop_oneof![
        (prop::option::of("[ab]"), pieces()).prop_map(|(name, pieces)| Part::Text(name, pieces)),
        ("[a-c]{1,3}", pieces(), prop::option::of(".{0,5}"))
            .prop_map(|(name, args, result)| Part::Call(name, args, result)),
        pieces().prop_map(Part::Reasoning),
        any::<u8>().prop_map(Part::Lost),
    ]
}

fn stream(parts: &[Part], ends: &str) -> Vec<Event> {
    let mut events =
        vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1" })];
    for (at, part) in parts.iter().enumerate() {
        let id = format!("id-{at}");
        match part {
            Part::Text(name, pieces) => {
                let mut start = json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" });
                if let Some(name) = name {
                    start["name"] = json!(name);
                }
                events.push(start);
                events.extend(pieces.iter().map(|piece| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": piece })));
                events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
            }
            Part::Call(name, args, result) => {
                events.push(json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name }));
                events.extend(args.iter().map(|piece| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": piece })));
                events.push(json!({ "type": "TOOL_CALL_END", "toolCallId": id }));
                if let Some(content) = result {
                    events.push(json!({ "type": "TOOL_CALL_RESULT", "toolCallId": id, "messageId": format!("{id}-result"), "content": content }));
                }
            }
            Part::Reasoning(pieces) => {
                events.push(json!({ "type": "REASONING_START", "messageId": id }));
                events.push(json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" }));
                events.extend(pieces.iter().map(|piece| json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": piece })));
                events.push(json!({ "type": "REASONING_MESSAGE_END", "messageId": id }));
                events.push(json!({ "type": "REASONING_END", "messageId": id }));
            }
            Part::Lost(what) => events.extend(match what % 4 {
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
    #![proptest_config(cases(256))]

    #[test]
    fn expressible_events_survive_the_round_trip(
        parts in prop::collection::vec(part(), 0..8),
        ends in prop_oneof![Just("error"), Just("complete")],
    ) {
        let events = stream(&parts, ends);
        let bytes = written(&events);
        let back = read_back(&bytes);
        let mut verifier = OrderVerifier::new();
        for event in &back {
            prop_assert!(verifier.check(event).is_ok(), "{back:#?}");
        }
        prop_assert_eq!(carried(&fold(&back)), carried(&fold(&events)));
        prop_assert_eq!(back.last(), events.last());
        // The second round trip loses nothing more.
        prop_assert_eq!(written(&back), bytes);
    }

    #[test]
    fn any_records_become_events_in_order_without_a_panic(
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
        let mut verifier = OrderVerifier::new();
        for event in &events {
            prop_assert!(verifier.check(event).is_ok(), "{events:#?}");
        }
    }
}
