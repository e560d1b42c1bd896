//! A stream as models make them, legal from its first event to its last: 60 % text deltas, 15 % arguments of calls, 10 % changes of state,
//! 15 % the rest.

use serde_json::{Value, json};

/// The number of events of a run; every share of them is a whole number.
pub const RUN: usize = 200;

const WORDS: [&str; 12] = [
    " the",
    " kitchen",
    " a",
    " simmering",
    " and",
    " stir",
    ".\n",
    " \"salt\"",
    " of",
    " crème",
    " until",
    " ready",
];

const ARGUMENTS: [&str; 10] =
    ["{\"city\":", "\"Os", "lo\",", "\"days\":", "[1,", "2,3", "],\"unit\"", ":\"", "metric", "\"}"];

/// Only text, all of one conversation.
pub fn text(count: usize) -> Vec<String> {
    (0..count)
        .map(|index| delta(&format!("msg_6f1c2a9e4b{:02}", index / 40 % 100), index).to_string())
        .collect()
}

/// Frames in the form of producers, the same every time: one run after the other on one stream.
pub fn mixed(count: usize) -> Vec<String> {
    assert_eq!(count % RUN, 0, "whole runs");
    let frames: Vec<String> = (0..count / RUN).flat_map(run).map(|event| event.to_string()).collect();
    let of = |kind: &str| {
        frames.iter().filter(|frame| frame.starts_with(&format!(r#"{{"type":"{kind}""#))).count()
    };
    let shares = ["TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "STATE_DELTA"].map(|kind| of(kind) * 100 / count);
    assert_eq!((frames.len(), shares), (count, [60, 15, 10]));
    frames
}

fn delta(message: &str, index: usize) -> Value {
    json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": WORDS[index % WORDS.len()] })
}

/// Four messages of 30 deltas, between them 20 changes of the state; three calls of ten deltas; and one of each other
/// event.
fn run(number: usize) -> Vec<Value> {
    let run = format!("run_{number:04}");
    let steps: Vec<Value> =
        (0..9).map(|step| json!({ "what": format!("step {step}"), "done": false })).collect();
    let mut events = vec![
        json!({ "type": "RUN_STARTED", "threadId": "thread_51f0", "runId": run, "protocolVersion": "1.0" }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "title": "Risotto", "steps": steps, "log": [] } }),
        json!({ "type": "STEP_STARTED", "stepName": "plan", "timestamp": 1_790_000_000_000_u64 }),
    ];
    events.extend(reasoning(&format!("rsn_{number:04}")));
    for message in 0..4 {
        let id = format!("msg_6f1c2a9e4b{:02}_{message}", number % 100);
        events.push(json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }));
        for word in 0..30 {
            events.push(delta(&id, word + message));
            if word % 6 == 5 {
                events.push(change(message * 5 + word / 6));
            }
        }
        events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
        if message < 3 {
            events.extend(call(&id, number * 3 + message));
        }
    }
    let activity = format!("act_{number:04}");
    events.extend([
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": activity, "activityType": "PACKING",
            "content": { "done": ["umbrella"], "left": 3 } }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": activity, "activityType": "PACKING",
            "patch": [{ "op": "replace", "path": "/left", "value": 2 }] }),
        json!({ "type": "CUSTOM", "name": "acme/sizzle", "value": { "celsius": 180, "note": null } }),
        json!({ "type": "STEP_FINISHED", "stepName": "plan" }),
        json!({ "type": "RUN_FINISHED", "threadId": "thread_51f0", "runId": run }),
    ]);
    events
}

fn reasoning(id: &str) -> [Value; 5] {
    [
        json!({ "type": "REASONING_START", "messageId": id }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": "Rice first, then stock." }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": id }),
        json!({ "type": "REASONING_END", "messageId": id }),
    ]
}

fn change(index: usize) -> Value {
    json!({ "type": "STATE_DELTA", "delta": [
        { "op": "replace", "path": format!("/steps/{}/done", index % 9), "value": true },
        { "op": "add", "path": "/log/-", "value": { "at": index, "what": "stirred" } },
    ] })
}

fn call(parent: &str, number: usize) -> Vec<Value> {
    let id = format!("call_{number:04}");
    let mut events = vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "forecast", "parentMessageId": parent }),
    ];
    events.extend(
        ARGUMENTS.iter().map(|piece| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": piece })),
    );
    events.extend([
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": format!("result_{number:04}"), "toolCallId": id,
            "content": "Rain until noon.", "role": "tool" }),
    ]);
    events
}
