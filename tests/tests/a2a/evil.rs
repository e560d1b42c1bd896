//! Remote agents that break the protocol, with our client.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::a2a::{A2aClient, A2aError};
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, RunEnd};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::remote::through;
use crate::talk::block_on;

/// A server that answers each method with given bodies, the last again and again.
#[derive(Clone, Default)]
pub(crate) struct Evil {
    replies: Arc<Mutex<HashMap<&'static str, VecDeque<Reply>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
pub(crate) enum Reply {
    Json(String),
    /// Frames; true if the stream then hangs.
    Stream(Vec<String>, bool),
    Status(u16),
    /// A status without an end of its text.
    Unfinished(u16),
    /// The head of a stream, after which the connection is cut.
    Broken,
    /// A connection that is cut without an answer.
    Cut,
}

impl Evil {
    pub(crate) fn reply(self, method: &'static str, reply: Reply) -> Self {
        self.replies.lock().unwrap().entry(method).or_default().push_back(reply);
        self
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, body: &[u8]) -> Response {
        let request: Value = serde_json::from_slice(body).unwrap();
        self.reply_to(request["method"].as_str().unwrap())
    }

    /// Answers a request of HTTP+JSON, below `/rest`.
    fn answer_at(&self, method: &Method, path: &str) -> Response {
        self.reply_to(match (method.as_str(), path.rsplit_once(':')) {
            ("POST", Some(("message", "stream"))) => "SendStreamingMessage",
            ("POST", Some(("tasks/t-1", "subscribe"))) => "SubscribeToTask",
            ("GET", Some(("tasks/t-1", "subscribe"))) => "SubscribeToTask by GET",
            ("POST", Some(("tasks/t-1", "cancel"))) => "CancelTask",
            ("GET", None) => "GetTask",
            _ => panic!("{method} {path}"),
        })
    }

    fn next_reply(&self, method: &str) -> Option<Reply> {
        let mut replies = self.replies.lock().unwrap();
        let replies = replies.get_mut(method)?;
        if replies.len() > 1 { replies.pop_front() } else { replies.front().cloned() }
    }

    fn reply_to(&self, method: &str) -> Response {
        self.asked.lock().unwrap().push(method.to_owned());
        let Some(reply) = self.next_reply(method) else {
            let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32004, "message": "no" } });
            return ([("content-type", "application/json")], error.to_string()).into_response();
        };
        match reply {
            Reply::Json(body) => ([("content-type", "application/json")], body).into_response(),
            Reply::Status(status) => {
                (axum::http::StatusCode::from_u16(status).unwrap(), "no").into_response()
            }
            Reply::Unfinished(status) => {
                let text = futures::stream::pending::<Result<Bytes, std::convert::Infallible>>();
                let status = axum::http::StatusCode::from_u16(status).unwrap();
                (status, Body::from_stream(text)).into_response()
            }
            Reply::Broken => {
                let cut = futures::stream::iter([Err::<Bytes, _>(std::io::Error::other("cut"))]);
                ([("content-type", "text/event-stream")], Body::from_stream(cut)).into_response()
            }
            // Ends the task of the connection, without a message.
            Reply::Cut => std::panic::resume_unwind(Box::new("cut")),
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
    pub(crate) async fn serve(&self, change: impl FnOnce(&mut Value)) -> Result<A2aClient, A2aError> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let interface =
            json!({ "url": format!("{url}/rpc"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0" });
        let mut card = json!({ "name": "evil", "capabilities": { "streaming": true }, "supportedInterfaces": [interface] });
        change(&mut card);
        let (evil, rest, card) = (self.clone(), self.clone(), card.to_string());
        let router =
            Router::new()
                .route("/.well-known/agent-card.json", get(move || async move { card }))
                .route("/rpc", post(move |body: Bytes| async move { evil.answer(&body) }))
                .route(
                    "/rest/{*path}",
                    any(move |method: Method, Path(path): Path<String>| async move {
                        rest.answer_at(&method, &path)
                    }),
                );
        tokio::spawn(async move { axum::serve(listener, router).await });
        A2aClient::connect(url).await
    }

    pub(crate) async fn run(&self, change: impl FnOnce(&mut Value)) -> Vec<Event> {
        let client = self.serve(change).await.unwrap().patience(Duration::from_millis(300));
        through(&Arc::new(client), testing::input("hello")).await
    }
}

pub(crate) fn frame(result: &Value) -> String {
    format!("data: {}\n\n", json!({ "jsonrpc": "2.0", "id": 1, "result": result }))
}

pub(crate) fn status(state: &str) -> Value {
    json!({ "statusUpdate": { "taskId": "t-1", "contextId": "c-1", "status": { "state": state } } })
}

pub(crate) fn text(text: &str) -> Value {
    let artifact = json!({ "artifactId": "a-1", "parts": [{ "text": text }] });
    json!({ "artifactUpdate": { "taskId": "t-1", "contextId": "c-1", "artifact": artifact } })
}

pub(crate) fn task(state: &str) -> Value {
    json!({ "task": { "id": "t-1", "contextId": "c-1", "status": { "state": state } } })
}

pub(crate) fn error(events: &[Event]) -> String {
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
            (stream(vec![]), "was lost"),
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
            (Reply::Unfinished(503), "503 Service Unavailable (503)"),
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
fn a_stream_that_breaks_off_often_is_continued_while_the_task_goes_on() {
    block_on(async {
        let pieces = |number: usize| {
            let artifact = json!({ "artifactId": format!("a-{number}"), "parts": [{ "text": "One." }] });
            let update = json!({ "taskId": "t-1", "contextId": "c-1", "artifact": artifact });
            vec![frame(&task("TASK_STATE_WORKING")), frame(&json!({ "artifactUpdate": update }))]
        };
        let mut evil = Evil::default().reply("SendStreamingMessage", Reply::Stream(pieces(0), false));
        for number in 1..6 {
            evil = evil.reply("SubscribeToTask", Reply::Stream(pieces(number), false));
        }
        let end = vec![frame(&status("TASK_STATE_COMPLETED"))];
        let events = evil.reply("SubscribeToTask", Reply::Stream(end, false)).run(|_| {}).await;
        assert_eq!(testing::texts(&events), ["One."; 6], "{}", testing::lines(&events));
    });
}

#[test]
fn streams_that_bring_nothing_new_are_given_up() {
    block_on(async {
        let same = || Reply::Stream(vec![frame(&task("TASK_STATE_WORKING"))], false);
        let evil = Evil::default().reply("SendStreamingMessage", same()).reply("SubscribeToTask", same());
        let message = error(&evil.run(|_| {}).await);
        assert!(message.contains("was lost"), "{message}");
        let continued = evil.asked().iter().filter(|method| *method == "SubscribeToTask").count();
        assert_eq!(continued, 3);
    });
}

#[test]
fn a_card_is_not_awaited_for_ever() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let connecting = tokio::spawn(A2aClient::connect(url));
        let (mut silent, _) = listener.accept().await.unwrap();
        // The request has come.
        silent.read_u8().await.unwrap();
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(301)).await;
        let connected = tokio::time::timeout(Duration::from_secs(60), connecting).await;
        let connected = connected.expect("it waits longer than it may").unwrap();
        assert!(matches!(connected, Err(A2aError::Lost { .. })), "{connected:?}");
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

/// Makes the card name HTTP+JSON alone.
pub(crate) fn by_http(card: &mut Value) {
    let interface = &mut card["supportedInterfaces"][0];
    interface["url"] = json!(interface["url"].as_str().unwrap().replace("/rpc", "/rest"));
    interface["protocolBinding"] = json!("HTTP+JSON");
}

pub(crate) fn http_frame(item: &Value) -> String {
    format!("data: {item}\n\n")
}

#[test]
fn answers_of_http_json_that_break_the_protocol_fail_the_task() {
    block_on(async {
        let failed = r#"{"error":{"code":500,"status":"INTERNAL","message":"no \u001b[31mink"}}"#;
        let begun = http_frame(&task("TASK_STATE_WORKING"));
        let breaks_off =
            Reply::Stream(vec![begun.clone(), format!("event: error\ndata: {failed}\n\n")], false);
        let cases = [
            (Reply::Stream(vec![], false), "was lost"),
            (
                Reply::Stream(vec![begun.clone(), "data: 7\n\n".to_owned()], false),
                "an answer that is not one",
            ),
            (breaks_off.clone(), "(500)"),
            (Reply::Json("<html>".to_owned()), "an answer that is not one"),
            (Reply::Json(frame(&task("TASK_STATE_COMPLETED"))), "an answer that is not one"),
            (Reply::Status(404), "no (404)"),
            (Reply::Stream(vec![], true), "was lost"),
        ];
        for (reply, expected) in cases {
            let evil = Evil::default().reply("SendStreamingMessage", reply);
            let evil = evil.reply("SubscribeToTask", breaks_off.clone());
            let message = error(&evil.run(by_http).await);
            assert!(message.contains("`127.0.0.1`") && message.contains(expected), "{expected}: {message}");
            assert!(!message.contains('\u{1b}'), "{message}");
        }
    });
}

#[test]
fn a_lost_stream_of_http_json_is_continued() {
    block_on(async {
        let begun = vec![http_frame(&task("TASK_STATE_WORKING")), http_frame(&text("Good day"))];
        let rest = vec![http_frame(&task("TASK_STATE_WORKING")), http_frame(&status("TASK_STATE_COMPLETED"))];
        let evil = Evil::default()
            .reply("SendStreamingMessage", Reply::Stream(begun, false))
            .reply("SubscribeToTask", Reply::Stream(rest, false));
        let events = evil.run(by_http).await;
        assert_eq!(testing::texts(&events), ["Good day"], "{}", testing::lines(&events));
        assert_eq!(evil.asked(), ["SendStreamingMessage", "SubscribeToTask"]);
    });
}
