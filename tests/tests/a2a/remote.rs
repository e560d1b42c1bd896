//! A remote agent as a subagent: our client with our server, and with servers that break the protocol.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::a2a::{A2aClient, A2aError};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, NonNull, ResumeEntry, ResumeStatus, RunAgentInput};
use agui_runtime::testing::{self, RunEnd};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::talk::{House, block_on};

/// Delegates to a remote agent.
#[agent]
async fn planner(
    run: &mut Run<Planner>,
    input: Input<Planner>,
    remote: &Arc<A2aClient>,
) -> Result<Value, Stop> {
    let found = run.delegate("remote", remote, input.messages.clone()).await?;
    Ok(json!({ "text": found.text, "artifacts": found.artifacts }))
}

async fn ours(house: &House) -> Arc<A2aClient> {
    Arc::new(A2aClient::connect(format!("http://{}/a2a", house.address)).await.unwrap())
}

async fn through(remote: &Arc<A2aClient>, input: RunAgentInput) -> Vec<Event> {
    testing::run(Planner::new(Arc::clone(remote)), input).await
}

fn question(events: &[Event]) -> agui_runtime::protocol::Interrupt {
    match testing::end(events) {
        RunEnd::Interrupt([question]) => question.clone(),
        _ => panic!("{}", testing::lines(events)),
    }
}

fn answer(question: &agui_runtime::protocol::Interrupt, payload: Option<Value>) -> RunAgentInput {
    let status = if payload.is_some() { ResumeStatus::Resolved } else { ResumeStatus::Cancelled };
    let mut entry = ResumeEntry::new(question.id.clone(), status);
    entry.payload = payload.and_then(NonNull::new);
    let mut input = testing::input("send it");
    input.run_id = "run-2".into();
    input.resume = Some(vec![entry].into());
    input
}

#[test]
fn its_text_is_that_of_a_subagent() {
    block_on(async {
        let house = House::open().await;
        let remote = ours(&house).await;
        assert_eq!(remote.card().name, "desk");
        let events = through(&remote, testing::input("hello")).await;
        let lines = testing::lines(&events);
        assert_eq!(testing::texts(&events), ["Good day."], "{lines}");
        assert!(matches!(&events[1], Event::SubagentStarted(started) if started.name == "remote"), "{lines}");
        let tagged = events.iter().filter(|event| event.subagent_run_id().is_some()).count();
        assert!(tagged >= 6, "{lines}");
        let RunEnd::Success { result: Some(result), .. } = testing::end(&events) else { panic!("{lines}") };
        assert_eq!(result["text"], "Good day.");
        // The state, and the result with all that the remote agent says.
        let artifacts = result["artifacts"].as_array().unwrap();
        assert!(artifacts.iter().any(|artifact| artifact["name"] == "result"), "{result}");
        assert!(events.iter().any(|event| matches!(event, Event::ActivitySnapshot(_))), "{lines}");
    });
}

#[test]
fn its_question_is_one_of_the_run() {
    block_on(async {
        let house = House::open().await;
        let remote = ours(&house).await;
        for (payload, said) in
            [(json!({ "approved": true }), "Sent."), (json!({ "approved": false }), "Not sent.")]
        {
            let asked = question(&through(&remote, testing::input("send it")).await);
            assert_eq!(
                (asked.reason.as_str(), asked.message.as_deref()),
                ("input_required", Some("Send it?"))
            );
            assert!(asked.response_schema.as_ref().is_some_and(|schema| schema.contains_key("properties")));
            assert!(asked.subagent_run_id.is_some());
            let events = through(&remote, answer(&asked, Some(payload))).await;
            assert_eq!(testing::texts(&events), [said], "{}", testing::lines(&events));
        }
        let asked = question(&through(&remote, testing::input("secret")).await);
        assert_eq!(asked.reason, "auth_required");
        let events = through(&remote, answer(&asked, None)).await;
        assert!(matches!(testing::end(&events), RunEnd::Cancelled), "{}", testing::lines(&events));
    });
}

#[test]
fn a_thread_is_one_context() {
    block_on(async {
        let house = House::open().await;
        let remote = ours(&house).await;
        for count in 1..=2 {
            let events = through(&remote, testing::input("count")).await;
            let RunEnd::Success { result: Some(result), .. } = testing::end(&events) else { panic!() };
            let artifacts = result["artifacts"].as_array().unwrap();
            let state = artifacts.iter().find(|artifact| artifact["name"] == "state").unwrap();
            assert_eq!(state["parts"][0]["data"]["count"], count);
        }
    });
}

#[test]
fn a_run_that_is_dropped_cancels_the_task() {
    block_on(async {
        let house = House::open().await;
        let remote = ours(&house).await;
        let running = tokio::spawn(testing::run(Planner::new(remote), testing::input("wait")));
        while house.bells.began.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // The client must have the id of the task.
        tokio::time::sleep(Duration::from_millis(200)).await;
        running.abort();
        while house.bells.dropped.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn a_failed_task_fails_the_subagent() {
    block_on(async {
        let house = House::open().await;
        let events = through(&ours(&house).await, testing::input("fail")).await;
        let RunEnd::Failed { message, .. } = testing::end(&events) else {
            panic!("{}", testing::lines(&events))
        };
        assert!(message.contains("failed the task: no ink"), "{message}");
    });
}

/// A server that answers each method with given bodies, the last again and again.
#[derive(Clone, Default)]
struct Evil {
    replies: Arc<Mutex<HashMap<&'static str, VecDeque<Reply>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
enum Reply {
    Json(String),
    /// Frames; true if the stream then hangs.
    Stream(Vec<String>, bool),
    Status(u16),
}

impl Evil {
    fn reply(self, method: &'static str, reply: Reply) -> Self {
        self.replies.lock().unwrap().entry(method).or_default().push_back(reply);
        self
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, body: &[u8]) -> Response {
        let request: Value = serde_json::from_slice(body).unwrap();
        let method = request["method"].as_str().unwrap();
        self.asked.lock().unwrap().push(method.to_owned());
        let mut replies = self.replies.lock().unwrap();
        let Some(replies) = replies.get_mut(method) else {
            let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32004, "message": "no" } });
            return ([("content-type", "application/json")], error.to_string()).into_response();
        };
        let reply = if replies.len() > 1 { replies.pop_front().unwrap() } else { replies[0].clone() };
        match reply {
            Reply::Json(body) => ([("content-type", "application/json")], body).into_response(),
            Reply::Status(status) => {
                (axum::http::StatusCode::from_u16(status).unwrap(), "no").into_response()
            }
            Reply::Stream(frames, hangs) => {
                let frames = frames.into_iter().map(Ok::<_, std::convert::Infallible>);
                let frames = futures::stream::iter(frames);
                let rest = futures::stream::pending().take(usize::from(hangs));
                let body = Body::from_stream(frames.chain(rest));
                ([("content-type", "text/event-stream")], body).into_response()
            }
        }
    }

    /// Serves, with a card that the closure changes.
    async fn serve(&self, change: impl FnOnce(&mut Value)) -> Result<A2aClient, A2aError> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let interface =
            json!({ "url": format!("{url}/rpc"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0" });
        let mut card = json!({ "name": "evil", "capabilities": { "streaming": true }, "supportedInterfaces": [interface] });
        change(&mut card);
        let (evil, card) = (self.clone(), card.to_string());
        let router = Router::new()
            .route("/.well-known/agent-card.json", get(move || async move { card }))
            .route("/rpc", post(move |body: Bytes| async move { evil.answer(&body) }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        A2aClient::connect(url).await
    }

    async fn run(&self, change: impl FnOnce(&mut Value)) -> Vec<Event> {
        let client = self.serve(change).await.unwrap().patience(Duration::from_millis(300));
        through(&Arc::new(client), testing::input("hello")).await
    }
}

fn frame(result: &Value) -> String {
    format!("data: {}\n\n", json!({ "jsonrpc": "2.0", "id": 1, "result": result }))
}

fn status(state: &str) -> Value {
    json!({ "statusUpdate": { "taskId": "t-1", "contextId": "c-1", "status": { "state": state } } })
}

fn text(text: &str) -> Value {
    let artifact = json!({ "artifactId": "a-1", "parts": [{ "text": text }] });
    json!({ "artifactUpdate": { "taskId": "t-1", "contextId": "c-1", "artifact": artifact } })
}

fn task(state: &str) -> Value {
    json!({ "task": { "id": "t-1", "contextId": "c-1", "status": { "state": state } } })
}

fn error(events: &[Event]) -> String {
    match testing::end(events) {
        RunEnd::Failed { message, .. } => message.to_owned(),
        _ => panic!("{}", testing::lines(events)),
    }
}

#[test]
fn streams_that_break_the_protocol_fail_the_task() {
    block_on(async {
        let stream = |frames: Vec<String>| Reply::Stream(frames, false);
        let cases = [
            (stream(vec![]), "a stream that ends before its task"),
            (stream(vec!["data: {\n\n".to_owned()]), "an answer that is not one"),
            (stream(vec!["data: 7\n\n".to_owned()]), "an answer that is not one"),
            (stream(vec![frame(&json!({ "surprise": {} }))]), "an answer that is not one"),
            (stream(vec![frame(&json!({ "statusUpdate": { "taskId": "t" } }))]), "an answer that is not one"),
            (stream(vec![frame(&text("Hi")), "data: {}\n\n".to_owned()]), "neither a result nor an error"),
            (stream(vec![format!("data: {}", "a".repeat(11 << 20))]), "an event that does not end"),
            (Reply::Json("<html>".to_owned()), "an answer that is not one"),
            (
                Reply::Json(r#"{"error":{"code":-32005,"message":"no \u001b[31mfiles"}}"#.to_owned()),
                "(-32005)",
            ),
            (Reply::Status(500), "(500)"),
            (Reply::Status(302), "(302)"),
            (Reply::Stream(vec![], true), "was lost"),
        ];
        for (reply, expected) in cases {
            let evil = Evil::default().reply("SendStreamingMessage", reply);
            let message = error(&evil.run(|_| {}).await);
            assert!(message.contains("`127.0.0.1`") && message.contains(expected), "{expected}: {message}");
            assert!(!message.contains('\u{1b}'), "{message}");
        }
    });
}

#[test]
fn a_task_that_is_given_up_is_cancelled() {
    block_on(async {
        let broken = vec![frame(&task("TASK_STATE_WORKING")), "data: 7\n\n".to_owned()];
        let evil = Evil::default().reply("SendStreamingMessage", Reply::Stream(broken, true));
        error(&evil.run(|_| {}).await);
        while !evil.asked().contains(&"CancelTask".to_owned()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn a_lost_stream_is_continued() {
    block_on(async {
        let begun = vec![frame(&task("TASK_STATE_WORKING")), frame(&text("Good "))];
        let whole = json!({ "task": {
            "id": "t-1",
            "contextId": "c-1",
            "status": { "state": "TASK_STATE_WORKING" },
            "artifacts": [{ "artifactId": "a-1", "parts": [{ "text": "Good day" }] }],
        } });
        let rest = vec![frame(&whole), frame(&status("TASK_STATE_COMPLETED"))];
        let evil = Evil::default()
            .reply("SendStreamingMessage", Reply::Stream(begun, false))
            .reply("SubscribeToTask", Reply::Stream(rest, false));
        let events = evil.run(|_| {}).await;
        assert_eq!(testing::texts(&events), ["Good day"], "{}", testing::lines(&events));
        assert_eq!(evil.asked(), ["SendStreamingMessage", "SubscribeToTask"]);
    });
}

#[test]
fn an_agent_that_does_not_stream_is_asked_until_it_is_done() {
    block_on(async {
        let got = |state: &str| {
            let task = task(state)["task"].clone();
            Reply::Json(json!({ "jsonrpc": "2.0", "id": 1, "result": task }).to_string())
        };
        let begun = json!({ "jsonrpc": "2.0", "id": 1, "result": task("TASK_STATE_SUBMITTED") });
        let evil = Evil::default()
            .reply("SendMessage", Reply::Json(begun.to_string()))
            .reply("GetTask", got("TASK_STATE_WORKING"))
            .reply("GetTask", got("TASK_STATE_REJECTED"));
        let message = error(&evil.run(|card| card["capabilities"] = json!({})).await);
        assert!(message.contains("rejected the task"), "{message}");
        assert_eq!(evil.asked(), ["SendMessage", "GetTask", "GetTask"]);
    });
}

#[test]
fn cards_that_a_client_must_not_follow() {
    block_on(async {
        let evil = Evil::default();
        let foreign =
            |card: &mut Value| card["supportedInterfaces"][0]["url"] = json!("http://127.0.0.2:1/rpc");
        assert!(
            matches!(evil.serve(foreign).await, Err(A2aError::NoInterface { .. })),
            "it would get the token"
        );
        let older = |card: &mut Value| card["supportedInterfaces"][0]["protocolVersion"] = json!("0.3");
        assert!(matches!(evil.serve(older).await, Err(A2aError::NoInterface { .. })));
        let none = |card: &mut Value| *card = json!({ "name": "evil" });
        assert!(matches!(evil.serve(none).await, Err(A2aError::NoInterface { .. })));
        let list = |card: &mut Value| *card = json!([]);
        assert!(matches!(evil.serve(list).await, Err(A2aError::Malformed { .. })));
        let nothing = A2aClient::connect("http://127.0.0.1:9").await;
        assert!(matches!(nothing, Err(A2aError::Connect { .. })));
        assert!(matches!(A2aClient::connect("no address").await, Err(A2aError::Connect { .. })));
    });
}
