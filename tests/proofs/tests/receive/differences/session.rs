//! A session's behaviour around the stages.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{
    ClientError, Frame, Frames, Next, PartialArguments, Reaction, Session, Subscriber, View, is_expired,
    middleware,
};
use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivityMessage, Event, FunctionCall, Interrupt, RunAgentInput, StateSnapshotEvent,
    ToolCall, UserMessage,
};
use agui_tests::outside::Node;
use futures::{FutureExt as _, StreamExt as _};
use serde_json::{Value, json};

use super::ask;

fn run(events: &Value) -> Value {
    let mut stream = vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })];
    stream.extend(events.as_array().unwrap().iter().cloned());
    stream.push(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }));
    stream.into()
}

/// A session with an agent that sends this.
fn session(stream: &Value) -> Session {
    let frames: Vec<Frame> = stream.as_array().unwrap().iter().cloned().map(Frame::Json).collect();
    Session::new(move |_: RunAgentInput| -> Frames {
        futures::stream::iter(frames.clone().into_iter().map(Ok)).boxed()
    })
}

/// Replaces the messages when an activity changes.
struct Replacing;

impl Subscriber for Replacing {
    fn on_activity_delta(&mut self, _: &ActivityDeltaEvent, _: &ActivityMessage, _: &View<'_>) -> Reaction {
        Reaction::none().with_messages(vec![UserMessage::new("instead", "Hm.").into()])
    }
}

pub(super) fn activity_goes(node: &Node) {
    let stream = run(&json!([
        { "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "plan", "content": { "n": 1 } },
        { "type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "plan", "patch": [{ "op": "replace", "path": "/n", "value": 2 }] },
    ]));
    let instead = json!([{ "id": "instead", "role": "user", "content": "Hm." }]);
    // The hook of the delta among all hooks.
    let heard = ask(node, "hooks.mjs", json!({ "stream": stream }));
    let asked = heard["first"].as_array().unwrap().iter().filter(|hook| {
        !matches!(
            hook[0].as_str().unwrap(),
            "onNewMessage" | "onNewToolCall" | "onMessagesChanged" | "onStateChanged"
        )
    });
    let at = asked.enumerate().find(|(_, hook)| hook[0] == "onActivityDeltaEvent").unwrap().0;
    let job = json!({ "stream": stream, "react": { "at": at, "messages": instead } });
    let theirs = ask(node, "hooks.mjs", job);
    assert_eq!(theirs["messages"][0]["role"], "activity", "{theirs}");
    let mut session = session(&stream);
    session.subscribe(Replacing);
    session.run().now_or_never().unwrap().unwrap();
    assert_eq!(json!(session.messages()), instead);
}

pub(super) fn hooks_are_functions(node: &Node) {
    let stream = run(&json!([{ "type": "STATE_SNAPSHOT", "snapshot": { "n": 1 } }]));
    let react = json!({ "at": 1, "state": { "late": true }, "wait": true });
    let theirs = ask(node, "hooks.mjs", json!({ "stream": [stream[0], stream[2]], "react": react }));
    assert_eq!(theirs["state"], json!({ "late": true }), "{theirs}");
    // Our hook returns its answer, not a promise of one.
    let _: fn(&mut Replacing, &ActivityDeltaEvent, &ActivityMessage, &View<'_>) -> Reaction =
        Replacing::on_activity_delta;
}

pub(super) fn half_escapes(node: &Node) {
    let texts = [r#"["\u00e9\"#, r#"["e\"#];
    let theirs = node.oracle("partial.mjs", &[], &texts.map(Value::from));
    assert_eq!(theirs, [r#"["\u00e9\"]"#, r#"["e"]"#]);
    let ours = texts.map(|text| {
        let call = ToolCall::new("c", FunctionCall::new("f", text));
        PartialArguments::of(&call).value()
    });
    assert_eq!(ours, [Some(json!(["é"])), Some(json!(["e"]))]);
}

/// Panics on a state, and counts its later calls.
struct Panicking(Arc<Mutex<usize>>);

impl Subscriber for Panicking {
    fn on_state_snapshot(&mut self, _: &StateSnapshotEvent, _: &View<'_>) -> Reaction {
        panic!("a mistake in a hook")
    }

    fn on_run_finalized(&mut self, _: &View<'_>) -> Reaction {
        *self.0.lock().unwrap() += 1;
        Reaction::none()
    }
}

pub(super) fn hooks_that_panic(node: &Node) {
    let stream = run(&json!([{ "type": "STATE_SNAPSHOT", "snapshot": { "n": 1 } }]));
    let heard = ask(node, "hooks.mjs", json!({ "stream": stream }));
    let hooks = heard["first"].as_array().unwrap().iter();
    let at = hooks
        .filter(|hook| !matches!(hook[0].as_str().unwrap(), "onMessagesChanged" | "onStateChanged"))
        .position(|hook| hook[0] == "onStateSnapshotEvent")
        .unwrap();
    let theirs = ask(node, "hooks.mjs", json!({ "stream": stream, "react": { "at": at, "fail": true } }));
    assert_eq!((&theirs["refused"], &theirs["state"]), (&Value::Null, &json!({ "n": 1 })), "{theirs}");

    let count = Arc::new(Mutex::new(0));
    let mut session = session(&stream);
    session.subscribe(Panicking(Arc::clone(&count)));
    let run = std::panic::AssertUnwindSafe(|| session.run().now_or_never());
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(*count.lock().unwrap(), 0);
}

struct Counting(Arc<Mutex<usize>>);

impl Subscriber for Counting {
    fn on_messages_changed(&mut self, _: &View<'_>) {
        *self.0.lock().unwrap() += 1;
    }

    fn on_state_changed(&mut self, _: &View<'_>) {
        *self.0.lock().unwrap() += 1;
    }
}

pub(super) fn changes_only(node: &Node) {
    let mut stream = run(&json!([]));
    // A run echoes known messages.
    let known = json!([{ "id": "u", "role": "user", "content": "Hi" }]);
    stream[0]["input"] = json!({ "threadId": "t", "runId": "r", "messages": known });
    let theirs = ask(node, "hooks.mjs", json!({ "stream": stream, "messages": known, "count": true }));
    assert_eq!(theirs["told"], json!({ "messages": 1, "state": 0 }));
    let count = Arc::new(Mutex::new(0));
    let mut session = session(&stream);
    session.set_messages(serde_json::from_value(known).unwrap());
    session.subscribe(Counting(Arc::clone(&count)));
    session.run().now_or_never().unwrap().unwrap();
    assert_eq!(*count.lock().unwrap(), 0);
}

pub(super) fn frames_as_they_came(node: &Node) {
    let stream = run(&json!([{ "type": "THINKING_START" }, { "type": "THINKING_END" }]));
    let theirs = ask(node, "hooks.mjs", json!({ "stream": stream, "layer": true }));
    let translated = json!(["RUN_STARTED", "REASONING_START", "REASONING_END", "RUN_FINISHED"]);
    assert_eq!(theirs["layer"], translated, "{theirs}");

    let (came, read) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
    let (log, read_log) = (Arc::clone(&came), Arc::clone(&read));
    let outer = move |input: RunAgentInput, next: Next| -> Frames {
        let log = Arc::clone(&log);
        let head = move |frame: &Result<Frame, ClientError>| {
            log.lock().unwrap().push(frame.as_ref().unwrap().head().event_type.unwrap().into_owned());
        };
        next.open(input).inspect(head).boxed()
    };
    let reading = move |input: RunAgentInput, next: Next| -> Frames {
        let log = Arc::clone(&read_log);
        let kind = move |event: &Result<Event, ClientError>| {
            log.lock().unwrap().push(event.as_ref().unwrap().event_type().as_str().to_owned());
        };
        let events = middleware::expanded(next.open(input), next.reading());
        events.inspect(kind).map(|event| event.map(Frame::from)).boxed()
    };
    session(&stream).with(outer).run().now_or_never().unwrap().unwrap();
    assert_eq!(*came.lock().unwrap(), ["RUN_STARTED", "THINKING_START", "THINKING_END", "RUN_FINISHED"]);
    session(&stream).with(reading).run().now_or_never().unwrap().unwrap();
    assert_eq!(json!(*read.lock().unwrap()), translated);
}

pub(super) fn dates_without_offset(node: &Node) {
    let date = "2020-01-01T00:00:00";
    let interrupt = json!({ "id": "i", "reason": "confirmation", "expiresAt": date });
    let before = json!([
        { "type": "RUN_STARTED", "threadId": "t", "runId": "before" },
        { "type": "RUN_FINISHED", "threadId": "t", "runId": "before", "outcome": { "type": "interrupt", "interrupts": [interrupt] } },
    ]);
    let resume = json!([{ "interruptId": "i", "status": "resolved", "payload": true }]);
    let theirs =
        ask(node, "hooks.mjs", json!({ "before": before, "stream": run(&json!([])), "resume": resume }));
    assert_eq!(theirs["refused"], "OTHER", "{theirs}");
    let interrupt: Interrupt = serde_json::from_value(interrupt).unwrap();
    assert!(!is_expired(&interrupt, std::time::SystemTime::now()));
    let dated = interrupt.with_expires_at(format!("{date}Z"));
    assert!(is_expired(&dated, std::time::SystemTime::now()));
}
