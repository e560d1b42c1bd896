//! A stream as models make them: 60 % text, 15 % arguments of calls, 10 % changes of state, 15 % the rest.

use serde_json::json;

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

/// Frames as producers write them, the same every time.
pub fn mixed(count: usize) -> Vec<String> {
    (0..count).map(frame).collect()
}

/// Only text.
pub fn text(count: usize) -> Vec<String> {
    (0..count).map(delta).collect()
}

fn delta(index: usize) -> String {
    let word = WORDS[index % WORDS.len()];
    json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": message(index), "delta": word }).to_string()
}

fn message(index: usize) -> String {
    format!("msg_6f1c2a9e4b{:02}", index / 40 % 100)
}

fn frame(index: usize) -> String {
    match index * 7 % 20 {
        0..12 => delta(index),
        12..15 => {
            let piece = ["{\"city\":", "\"Oslo\",", "\"days\":", "[1,2,3]}"][index % 4];
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": format!("call_{:04}", index / 50), "delta": piece })
                .to_string()
        }
        15..17 => json!({ "type": "STATE_DELTA", "delta": [
            { "op": "replace", "path": format!("/steps/{}/done", index % 9), "value": true },
            { "op": "add", "path": "/log/-", "value": { "at": index, "what": "stirred" } },
        ] })
        .to_string(),
        _ => rest(index),
    }
}

fn rest(index: usize) -> String {
    let message = message(index);
    match index / 20 % 8 {
        0 => json!({ "type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant" }),
        1 => json!({ "type": "TEXT_MESSAGE_END", "messageId": message }),
        2 => json!({ "type": "STEP_STARTED", "stepName": "plan", "timestamp": 1_790_000_000_000_u64 }),
        3 => json!({ "type": "TOOL_CALL_START", "toolCallId": "call_0001", "toolCallName": "forecast", "parentMessageId": message }),
        4 => json!({ "type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": "call_0001", "content": "Rain until noon.", "role": "tool" }),
        5 => json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": message, "delta": " so", "subagentRunId": "inv-1" }),
        6 => json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": message, "activityType": "PACKING", "content": { "done": ["umbrella"], "left": 3 } }),
        _ => json!({ "type": "CUSTOM", "name": "acme/sizzle", "value": { "celsius": 180, "note": null } }),
    }
    .to_string()
}
