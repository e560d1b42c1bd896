//! The part of a malformed event that the order depends on.

use agui_runtime::protocol::{Event, EventType, RawEvent};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

/// Members with text that order depends on.
const TEXTS: [&str; 12] = [
    "threadId",
    "runId",
    "stepName",
    "messageId",
    "toolCallId",
    "parentMessageId",
    "entityId",
    "subagentRunId",
    "parentSubagentRunId",
    "name",
    "toolCallName",
    "activityType",
];

/// The event with these members only, for a verifier that reads no others. An `undefined` of JavaScript becomes an id
/// of its own.
pub(super) fn skeleton(event: &Value, event_type: EventType) -> Event {
    let mut bones = json!({
        "type": event_type, "delta": "", "content": {}, "patch": [], "snapshot": null, "event": null, "value": null,
        "encryptedValue": "", "message": "", "messages": messages(&event["messages"]),
    });
    for key in TEXTS {
        match event.get(key) {
            Some(Value::String(text)) => bones[key] = json!(text),
            _ if is_required(key, event_type) => bones[key] = json!("\u{0}undefined"),
            _ => {}
        }
    }
    match event_type {
        EventType::StateDelta => bones["delta"] = json!([]),
        EventType::ToolCallResult => bones["content"] = json!(""),
        EventType::ReasoningMessageStart => bones["role"] = json!("reasoning"),
        EventType::ReasoningEncryptedValue => {
            let of_call = event["subtype"] == "tool-call";
            bones["subtype"] = json!(if of_call { "tool-call" } else { "message" });
        }
        EventType::ActivitySnapshot if event["replace"] == false => bones["replace"] = json!(false),
        EventType::RunStarted if event["input"].is_object() => {
            let messages = messages(&event["input"]["messages"]);
            bones["input"] = json!({ "threadId": "", "runId": "", "messages": messages });
        }
        _ => {}
    }
    Event::deserialize(&bones).unwrap_or_else(|_| RawEvent::new(Value::Null).into())
}

fn is_required(key: &str, event_type: EventType) -> bool {
    let chunk = matches!(
        event_type,
        EventType::TextMessageChunk | EventType::ToolCallChunk | EventType::ReasoningMessageChunk
    );
    match key {
        "parentMessageId" | "parentSubagentRunId" => false,
        "subagentRunId" => matches!(
            event_type,
            EventType::SubagentStarted | EventType::SubagentFinished | EventType::SubagentError
        ),
        "messageId" | "toolCallId" | "toolCallName" | "name" => {
            let is_display_name = key == "name" && event_type == EventType::TextMessageStart;
            !chunk && !is_display_name
        }
        _ => true,
    }
}

/// The messages whose owners can be learned, because they have an id.
fn messages(list: &Value) -> Vec<Value> {
    let bones = |message: &Value| {
        let mut bones = Map::new();
        bones.insert("id".to_owned(), json!(message.get("id")?.as_str()?));
        let tag = message.get("subagentRunId").and_then(Value::as_str);
        bones.extend(tag.map(|tag| ("subagentRunId".to_owned(), json!(tag))));
        let role = message["role"].as_str().filter(|role| matches!(*role, "reasoning" | "activity"));
        let role = role.unwrap_or("assistant");
        bones.insert("role".to_owned(), json!(role));
        match role {
            "activity" => {
                bones.extend([("activityType".to_owned(), json!("")), ("content".to_owned(), json!({}))]);
            }
            "reasoning" => bones.extend([("content".to_owned(), json!(""))]),
            _ => {
                let calls = message["toolCalls"].as_array().into_iter().flatten();
                let calls = calls.filter_map(|call| call["id"].as_str());
                let call =
                    |id| json!({ "id": id, "type": "function", "function": { "name": "", "arguments": "" } });
                bones.insert("toolCalls".to_owned(), calls.map(call).collect());
            }
        }
        Some(bones.into())
    };
    list.as_array().into_iter().flatten().filter_map(bones).collect()
}
