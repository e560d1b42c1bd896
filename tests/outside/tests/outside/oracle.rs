//! The official client's parts, one by one.

use agui_tests::{need, outside::Node};
use serde_json::{Value, json};

use crate::streams;

fn input() -> Value {
    json!({ "threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [] })
}

#[test]
fn the_oracle_accepts_what_is_right_and_names_what_is_wrong() {
    let node = need!(Node::ready());
    let reasoning = json!([
        { "type": "RUN_STARTED", "threadId": "t", "runId": "r" },
        { "type": "REASONING_END", "messageId": "x" },
    ]);
    let jobs = [
        json!(streams::right(&input())),
        json!(streams::newer_outcome(&input())),
        json!(streams::content_without_start(&input())),
        reasoning,
        json!({ "name": "malformed", "stream": [{ "type": "RUN_STARTED", "threadId": 1, "runId": "r" }] }),
    ];
    let results = node.verify(&["--terse"], &jobs);
    let verdicts: Vec<_> = results
        .iter()
        .flat_map(|result| {
            ["verify", "check", "pipeline"].map(|part| (&result[part]["accepted"], &result[part]["code"]))
        })
        .map(|(accepted, code)| (accepted.as_bool().unwrap(), code.as_str().unwrap_or("")))
        .collect();
    let right = (true, "");
    let not_open = (false, "V_TEXT_CONTENT_NOT_OPEN");
    let no_span = (false, "V_REASONING_SPAN_NOT_OPEN");
    let malformed = (false, "S_MALFORMED");
    #[rustfmt::skip]
    assert_eq!(verdicts, [
        right, right, right,
        right, right, right,
        not_open, not_open, not_open,
        no_span, no_span, no_span,
        right, malformed, malformed,
    ]);
    assert_eq!(results[0]["pipeline"]["state"], json!({ "count": 2, "gone": null }));
    assert_eq!(results[0]["pipeline"]["warnings"], json!([]));
    assert_eq!(results[2]["verify"]["at"], 1);
}

#[test]
fn binary_events_come_back_as_they_went() {
    let node = need!(Node::ready());
    let event = json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hé" });
    let encoded = node.oracle("proto.mjs", &[], std::slice::from_ref(&event));
    assert_eq!(encoded[0]["event"], event);
    let decoded = node.oracle("proto.mjs", &[], &[json!({ "hex": encoded[0]["hex"] })]);
    assert_eq!(decoded[0]["event"], event);
}
