//! A run with everything in it, as clients read it that join after each of its events.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

use std::time::Duration;

use agui_runtime::manifest::AgentSource;
use agui_runtime::thread::{LogAppend, LogPosition, Memory, ThreadKey, ThreadLog};
use agui_runtime::{Agent, FinishedRun, Input, Run, Server, Stop};
use axum::Router;
use axum::body::Body;
use futures::StreamExt;
use http::Request;
use serde_json::{Value, json};
use tower_service::Service;

/// The events of the run, of which each prefix is legal.
#[must_use]
pub fn everything() -> Vec<Value> {
    let user = json!({ "id": "u", "role": "user", "content": "Everything, please." });
    vec![
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0", "input": { "threadId": "t", "runId": "r", "messages": [user] } }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "n": 0 } }),
        json!({ "type": "STEP_STARTED", "stepName": "plan" }),
        json!({ "type": "REASONING_START", "messageId": "think" }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "think", "role": "reasoning" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "think", "delta": "Well" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "think", "delta": "…" }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "think" }),
        json!({ "type": "REASONING_END", "messageId": "think" }),
        json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "sub", "name": "reader" }),
        json!({ "type": "STEP_STARTED", "stepName": "plan", "subagentRunId": "sub" }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hel" }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look", "parentMessageId": "m" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"a\"" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "lo" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": ":1}" }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "s", "role": "assistant", "subagentRunId": "sub" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "c-result", "toolCallId": "c", "content": "42", "role": "tool" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "s", "delta": "I read.", "subagentRunId": "sub" }),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/n", "value": 1 }] }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "s", "subagentRunId": "sub" }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "PLAN", "content": { "done": 0 } }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "PLAN", "patch": [{ "op": "replace", "path": "/done", "value": 1 }] }),
        json!({ "type": "STEP_FINISHED", "stepName": "plan", "subagentRunId": "sub" }),
        json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "sub" }),
        json!({ "type": "STEP_FINISHED", "stepName": "plan" }),
        json!({ "type": "CUSTOM", "name": "cheer", "value": true }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "success" } }),
    ]
}

/// An agent that is never asked: its thread is written by hand. Written without `#[agent]`, which would put it into the
/// manifest of every test.
struct Silent;

impl Agent for Silent {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource { rust_path: std::any::type_name::<Self>(), ..AgentSource::new("silent") }
    }
}

/// Returns the text of the server-sent events of a client that connects when the thread has `count` events of the run, and
/// reads it to its end.
pub async fn joined(count: usize) -> String {
    let (log, key) = (Memory::new(), ThreadKey::new("", "/", "t"));
    let events = everything();
    let claimed = json!({ "control": "claimed", "run": "r", "nonce": "n" });
    let begun = [claimed].iter().chain(&events[..count]).map(|record| record.to_string().into()).collect();
    let note = |last: Option<usize>| {
        let mut run = json!({ "id": "r", "request": "", "first": 1 });
        if let Some(last) = last {
            run["last"] = json!(last);
        }
        Some(json!({ "runs": [run] }).to_string().into())
    };
    let is_over = count == events.len();
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: begun,
        note: note(is_over.then_some(count + 1)),
        lease: (!is_over).then_some(Duration::from_secs(60)),
    };
    let at = log.append(&key, append).await.unwrap();
    let mut router: Router = Server::new().threads(log.clone()).agent("/", Silent).router().unwrap();
    let input = json!({ "threadId": "t", "runId": "c", "protocolVersion": "1.0", "messages": [] });
    let request =
        Request::post("/connect").header("host", "localhost").header("content-type", "application/json");
    let answer = router.call(request.body(Body::from(input.to_string())).unwrap()).await.unwrap();
    assert_eq!(answer.status(), 200);
    if !is_over {
        let records = events[count..].iter().map(|event| event.to_string().into()).collect();
        let append = LogAppend { at, epoch: 1, records, note: note(Some(events.len() + 1)), lease: None };
        log.append(&key, append).await.unwrap();
    }
    let mut body = answer.into_body().into_data_stream();
    let mut text = String::new();
    while let Some(bytes) = body.next().await {
        text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
    }
    text
}
