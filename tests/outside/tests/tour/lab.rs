//! The lab: one feature of the protocol on each route.

use serde_json::{Value, json};

use crate::case::{Case, call, text};

const UNICODE: &str = "naïve 日本語 🦀 \u{2028} \"quotes\" \\ back\nnew\r\nline \t\u{1} end";

pub fn cases() -> Vec<Case> {
    [messages(), calls(), states(), questions(), others()].into_iter().flatten().collect()
}

/// The text of the slow route.
pub fn hundred() -> String {
    (1..=100).map(|number| format!("{number} ")).collect()
}

fn one(event: Value) -> Vec<Value> {
    vec![event]
}

fn messages() -> Vec<Case> {
    // Only the first chunk of an item names its kind.
    let chunks = vec![
        json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "#1", "role": "assistant", "delta": "Chunk " }),
        json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "by chunk" }),
        json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "#2", "toolCallName": "noop", "delta": r#"{"a""# }),
        json!({ "type": "TOOL_CALL_CHUNK", "delta": ":1}" }),
    ];
    let step = |kind: &str, name: &str| json!({ "type": kind, "stepName": name });
    let reasoning = |kind: &str, id: &str| json!({ "type": kind, "messageId": id });
    let thought = json!({ "type": "REASONING_MESSAGE_START", "messageId": "#2", "role": "reasoning" });
    let thinking = "Let me think about this carefully.";
    let thinking = json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "#2", "delta": thinking });
    let signature = json!({
        "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "#2", "encryptedValue": "b3BhcXVl",
    });
    let piece =
        |id: &str, delta: &str| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let start = |id: &str| text(id, "").swap_remove(0);
    let end = |id: &str| text(id, "").swap_remove(2);
    let called = |id: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "noop", "parentMessageId": "#1" });
    let argue = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let ended = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    vec![
        Case::new("/lab/text", [text("#1", "Hello from the lab!")]).pieces(3),
        Case::new("/lab/text_chunks", [chunks]).pieces(2).leaves(&["#2"]),
        Case::new("/lab/unicode", [text("#1", UNICODE)]).pieces(3),
        Case::new("/lab/slow", [text("#1", &hundred())]).pieces(100),
        Case::new(
            "/lab/steps",
            [
                one(step("STEP_STARTED", "plan")),
                text("#1", "First I think of something."),
                one(step("STEP_FINISHED", "plan")),
                one(step("STEP_STARTED", "act")),
                text("#2", "Then I do it."),
                one(step("STEP_FINISHED", "act")),
            ],
        ),
        Case::new(
            "/lab/reasoning",
            [
                one(reasoning("REASONING_START", "#1")),
                one(thought),
                one(thinking),
                one(reasoning("REASONING_MESSAGE_END", "#2")),
                one(signature),
                one(reasoning("REASONING_END", "#1")),
                text("#3", "The answer is 42."),
            ],
        ),
        Case::new(
            "/lab/parallel",
            [vec![
                start("#1"),
                start("#2"),
                piece("#1", "A1"),
                piece("#2", "B1"),
                piece("#1", "A2"),
                end("#2"),
                end("#1"),
                called("#3"),
                called("#4"),
                argue("#3", r#"{"n":"#),
                argue("#4", r#"{"n":"#),
                argue("#3", "1}"),
                argue("#4", "2}"),
                ended("#3"),
                ended("#4"),
            ]],
        )
        .leaves(&["#3", "#4"]),
        tagged(),
    ]
}

fn tagged() -> Case {
    let mut events = text("#1", "tagged");
    events[0] = json!({
        "type": "TEXT_MESSAGE_START", "messageId": "#1", "role": "assistant", "name": "Ada",
        "metadata": { "lang": "en" }, "timestamp": 1_700_000_000_000_u64, "rawEvent": { "x": 1 },
    });
    events[2]["metadata"] = json!({ "finish": "stop" });
    Case::new("/lab/metadata", [events])
}

fn calls() -> Vec<Case> {
    let tools = json!({ "tools": [
        { "name": "choose", "description": "Asks.", "parameters": { "type": "object" } },
        { "name": "other", "description": "Is not asked." },
    ] });
    let question = r#"{"question":"Which color do you like?","options":["red","blue"]}"#;
    let result = |id: &str, call: &str, content: Value| json!({ "type": "TOOL_CALL_RESULT", "messageId": id, "toolCallId": call, "content": content });
    let dot = json!([
        { "type": "text", "text": "a dot" },
        { "type": "image", "source": { "type": "data", "value": "aGk=", "mimeType": "image/png" } },
    ]);
    let usage = json!([{ "provider": "lab", "model": "script-1", "inputTokens": 10, "outputTokens": 5, "totalTokens": 15 }]);
    vec![
        Case::new("/lab/tool", [call("#1", "choose", question)])
            .when("asks", tools)
            .pieces(2)
            .leaves(&["#1"]),
        Case::new("/lab/tool", [text("#1", "Tool said: red")]).answered("answered", "choose", "red"),
        Case::new("/lab/tool", [text("#1", "There is no tool to ask with.")]),
        Case::new(
            "/lab/backend_tool",
            [
                call("#1", "get_weather", r#"{"location":"Lisbon"}"#),
                one(result("#2", "#1", json!(r#"{"temperature":21,"conditions":"sunny"}"#))),
                text("#3", "It is sunny in Lisbon."),
            ],
        ),
        Case::new(
            "/lab/tool_result_parts",
            [call("#1", "draw", r#"{"what":"a dot"}"#), one(result("#2", "#1", dot))],
        ),
        Case::new("/lab/result", [call("pending-1", "ask_user", r#"{"question":"Was it good?"}"#)]).ends(
            &json!({
                "result": { "score": 0.5, "tags": ["a"] },
                "outcome": { "type": "success", "pendingToolCallIds": ["pending-1"] },
                "usage": usage,
            }),
        ),
    ]
}

fn states() -> Vec<Case> {
    let counted = |from: i64| {
        vec![
            json!({ "type": "STATE_SNAPSHOT", "snapshot": { "count": from, "items": [], "note": "fresh" } }),
            json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/count", "value": from + 1 }] }),
            json!({ "type": "STATE_DELTA", "delta": [
                { "op": "add", "path": "/items/-", "value": "a" },
                { "op": "add", "path": "/items/-", "value": "c" },
                { "op": "add", "path": "/items/1", "value": "b" },
            ] }),
            json!({ "type": "STATE_DELTA", "delta": [
                { "op": "test", "path": "/items/1", "value": "b" },
                { "op": "copy", "from": "/items/0", "path": "/first" },
                { "op": "move", "from": "/note", "path": "/moved~1note" },
                { "op": "remove", "path": "/items/2" },
            ] }),
        ]
    };
    let call = json!({ "id": "#2", "type": "function", "function": { "name": "lookup", "arguments": r#"{"word":"tour"}"# } });
    let restated = json!({ "type": "MESSAGES_SNAPSHOT", "messages": [
        { "id": "said", "role": "user", "content": "hi" },
        { "id": "#1", "role": "assistant", "content": "Let me look it up.", "toolCalls": [call] },
        { "id": "#3", "role": "tool", "toolCallId": "#2", "content": "a journey that ends where it began" },
        { "id": "#4", "role": "assistant", "content": "Found it." },
    ] });
    let (id, kind) = ("#1", "PLAN");
    let activity = json!({
        "type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": kind, "replace": true,
        "content": { "steps": [{ "name": "fetch", "done": false }] },
    });
    let done = |operation: Value| json!({ "type": "ACTIVITY_DELTA", "messageId": id, "activityType": kind, "patch": [operation] });
    let held =
        |count: i64, first: i64| json!({ "count": count, "items": [{ "name": "a", "amount": first }] });
    let whole = |count, first| one(json!({ "type": "STATE_SNAPSHOT", "snapshot": held(count, first) }));
    let change = |operation: Value| json!({ "type": "STATE_DELTA", "delta": [operation] });
    let counts = |count: i64, first: i64| {
        let item = json!({ "name": "b", "amount": first });
        let changes = vec![
            change(json!({ "op": "replace", "path": "/items/0/amount", "value": first + 1 })),
            change(json!({ "op": "add", "path": "/items/0", "value": item })),
            change(json!({ "op": "replace", "path": "/count", "value": count + 1 })),
        ];
        [changes, text("#1", "Counted.")].concat()
    };
    let holding = |name, count, first| {
        Case::new("/lab/state_held", [counts(count, first)])
            .before_1_0([whole(count, first), counts(count, first)])
            .when(name, json!({ "state": held(count, first) }))
    };
    let empty = json!({ "state": { "count": 3, "items": [] } });
    let states = vec![
        holding("held", 7, 7),
        holding("held for long", 3, -2),
        Case::new("/lab/state_held", [whole(0, 0), counts(0, 0)]),
        Case::new("/lab/state_held", [whole(0, 0), counts(0, 0)]).when("empty", json!({ "state": {} })),
        Case::new("/lab/state_held", [whole(0, 0), counts(0, 0)]).when("without items", empty),
        Case::new("/lab/state", [counted(0)]),
        Case::new("/lab/state", [counted(7)])
            .when("counted", json!({ "state": { "count": 7, "other": null } })),
        Case::new("/lab/state", [counted(7)]).when("counted in floats", json!({ "state": { "count": 7.0 } })),
        Case::new("/lab/state", [counted(0)]).when("of another kind", json!({ "state": ["count"] })),
    ];
    let others = vec![
        Case::new("/lab/messages_snapshot", [one(restated)]),
        Case::new(
            "/lab/activity",
            [
                one(activity),
                one(done(json!({ "op": "add", "path": "/steps/0/done", "value": true }))),
                one(done(
                    json!({ "op": "add", "path": "/steps/-", "value": { "name": "write", "done": false } }),
                )),
                text("#2", "That is the plan."),
            ],
        ),
    ];
    [states, others].concat()
}

fn questions() -> Vec<Case> {
    let resume = |answers: Value| json!({ "resume": answers });
    let schema = json!({ "type": "object", "properties": { "approved": { "type": "boolean" } }, "required": ["approved"] });
    let email = r#"{"to":"ada@example.com","subject":"Hello"}"#;
    let payload = json!({ "note": "später", "approved": true, "edited": { "z": [1, null], "a": 1.5 } });
    let spelled = "Resumed lab-int-1: resolved {\"approved\": true, \"edited\": {\"a\": 1.5, \"z\": [1, null]}, \
                   \"note\": \"später\"}";
    vec![
        Case::new("/lab/interrupt", [call("lab-int-call", "send_email", email)]).ends(&json!({
            "outcome": { "type": "interrupt", "interrupts": [{
                "id": "lab-int-1", "reason": "tool_call", "message": "May I send this email?",
                "toolCallId": "lab-int-call", "responseSchema": schema,
            }] },
        })),
        Case::new("/lab/interrupt", [text("#1", spelled)])
            .when("resolved", resume(json!([{ "interruptId": "lab-int-1", "status": "resolved", "payload": payload }]))),
        Case::new("/lab/interrupt", [text("#1", "Resumed lab-int-1: cancelled")])
            .when("cancelled", resume(json!([{ "interruptId": "lab-int-1", "status": "cancelled" }]))),
        Case::new(
            "/lab/interrupts_two",
            [one(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "waiting": 2 } }))],
        )
        .ends(&json!({
            "outcome": { "type": "interrupt", "interrupts": [
                { "id": "one", "reason": "input_required", "message": "What is your name?" },
                { "id": "two", "reason": "confirmation", "message": "Are you sure?", "expiresAt": "2999-12-31T23:59:59Z" },
            ] },
        })),
        Case::new("/lab/interrupts_two", [text("#1", "Resumed one=resolved, two=cancelled")]).when(
            "resumed",
            resume(json!([
                { "interruptId": "two", "status": "cancelled" },
                { "interruptId": "one", "status": "resolved", "payload": "Ada" },
            ])),
        ),
    ]
}

fn others() -> Vec<Case> {
    let by = |sub: &str, events: Vec<Value>| -> Vec<Value> {
        let by = |mut event: Value| {
            event["subagentRunId"] = json!(sub);
            event
        };
        events.into_iter().map(by).collect()
    };
    let started =
        |id: &str, name: &str| json!({ "type": "SUBAGENT_STARTED", "subagentRunId": id, "name": name });
    let mut inside = started("sub-2", "reader");
    inside["parentSubagentRunId"] = json!("sub-1");
    let ended = |id: &str| json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": id, "outcome": { "type": "success" } });
    let custom = |name: &str, value: Value| json!({ "type": "CUSTOM", "name": name, "value": value });
    vec![
        Case::new(
            "/lab/subagent",
            [
                one(started("sub-1", "researcher")),
                by("sub-1", text("#1", "digging")),
                one(inside),
                by("sub-2", text("#2", "reading")),
                one(ended("sub-2")),
                one(ended("sub-1")),
                text("#3", "all done"),
            ],
        ),
        Case::new(
            "/lab/custom_raw",
            [
                one(custom("lab.ping", json!({ "n": 1, "deep": [null, true, 1.5, "x"] }))),
                one(custom("lab.null", Value::Null)),
                one(
                    json!({ "type": "RAW", "event": { "provider": { "chunk": 7 } }, "source": "labprovider" }),
                ),
            ],
        ),
        Case::new("/lab/cancelled", [text("#1", "On second thought, no.")])
            .ends(&json!({ "outcome": { "type": "cancelled" } })),
        Case::new("/lab/error", [text("#1", "partial")[..2].to_vec()])
            .before_1_0([text("#1", "partial")])
            .fails(json!({ "type": "RUN_ERROR", "message": "lab failure", "code": "LAB_ERR" })),
    ]
}
