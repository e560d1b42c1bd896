//! Handwritten answers of an agent: a valid one, and several that are not.

use serde_json::{Value, json};

fn run_started(input: &Value) -> Value {
    let mut event = json!({ "type": "RUN_STARTED", "threadId": input["threadId"], "runId": input["runId"] });
    if input.get("protocolVersion").is_some() {
        event["protocolVersion"] = json!("1.0");
    }
    event
}

fn run_finished(input: &Value) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": input["threadId"], "runId": input["runId"], "result": { "ok": true } })
}

fn text(id: &str, pieces: &[&str]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" })];
    let content = |piece| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": piece });
    events.extend(pieces.iter().map(content));
    events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
    events
}

/// Ids must differ between the runs of a thread.
fn id_in(input: &Value, name: &str) -> String {
    format!("{name}-{}", input["runId"].as_str().unwrap_or_default())
}

/// To a user: text with difficult characters, state, and a question. To the answer of that question: a repetition of
/// it.
pub(crate) fn right(input: &Value) -> Vec<Value> {
    let mut events = vec![run_started(input)];
    let last = input["messages"].as_array().and_then(|messages| messages.last());
    if let Some(answer) = last.filter(|message| message["role"] == "tool") {
        let told = format!("You said {}.", answer["content"].as_str().unwrap_or("nothing"));
        events.extend(text(&id_in(input, "told"), &[&told]));
    } else {
        let call = id_in(input, "call");
        events.extend(text(&id_in(input, "hello"), &["Hello ", "naïve 日本語 🦀 \u{2028}", "\nworld"]));
        events.push(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "count": 1, "gone": null } }));
        events.push(
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/count", "value": 2 }] }),
        );
        events.push(json!({ "type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "ask_user" }));
        events.push(json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": "{\"question\":" }));
        events.push(json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": "\"Sure?\"}" }));
        events.push(json!({ "type": "TOOL_CALL_END", "toolCallId": call }));
    }
    events.push(run_finished(input));
    events
}

/// Content for a message that was never started.
pub(crate) fn content_without_start(input: &Value) -> Vec<Value> {
    let content = json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "lost" });
    vec![run_started(input), content, run_finished(input)]
}

/// A member that no version of the protocol knows: the newer client strips it and warns.
pub(crate) fn unknown_member(input: &Value) -> Vec<Value> {
    let mut events = vec![run_started(input)];
    events.extend(text("m", &["odd"]));
    events[1]["color"] = json!("red");
    events.push(run_finished(input));
    events
}

/// An outcome that came with 1.0: a client before it does not know it.
pub(crate) fn newer_outcome(input: &Value) -> Vec<Value> {
    let mut finished = run_finished(input);
    finished["outcome"] = json!({ "type": "cancelled" });
    vec![run_started(input), finished]
}

/// A run that fails by itself, legally.
pub(crate) fn run_error(input: &Value) -> Vec<Value> {
    vec![run_started(input), json!({ "type": "RUN_ERROR", "message": "no flour", "code": "OUT_OF_STOCK" })]
}

/// A stream that stops in the middle of a message.
pub(crate) fn cut_off(input: &Value) -> Vec<Value> {
    let mut events = right(input);
    events.truncate(3);
    events
}
