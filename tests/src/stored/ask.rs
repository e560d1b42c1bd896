//! The requests of clients.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};

/// A run on a thread with one message, whose id is that of the run.
#[must_use]
pub fn run(thread: &str, run: &str, text: &str) -> Value {
    json!({
        "threadId": thread,
        "runId": run,
        "protocolVersion": "1.0",
        "messages": [{ "id": format!("u-{run}"), "role": "user", "content": text }],
    })
}

/// A run that answers a question.
#[must_use]
pub fn answer(thread: &str, run: &str, question: &str) -> Value {
    json!({
        "threadId": thread,
        "runId": run,
        "protocolVersion": "1.0",
        "messages": [],
        "resume": [{ "interruptId": question, "status": "resolved", "payload": true }],
    })
}

/// An input for `connect`.
#[must_use]
pub fn connect(thread: &str) -> Value {
    json!({ "threadId": thread, "runId": "connect", "protocolVersion": "1.0", "messages": [] })
}

/// The input of a legacy client.
#[must_use]
pub fn legacy(mut input: Value) -> Value {
    input.as_object_mut().unwrap().remove("protocolVersion");
    input
}

/// A request for the events after the last that the client saw.
pub fn follow(path: &str, cursor: &str) -> Request<Body> {
    Request::get(path)
        .header("host", "localhost")
        .header("last-event-id", cursor)
        .body(Body::empty())
        .unwrap()
}

/// A request with a body, after the last event that the client saw.
pub fn post(path: &str, input: &Value, cursor: Option<&str>) -> Request<Body> {
    let mut request =
        Request::post(path).header("host", "localhost").header("content-type", "application/json");
    if let Some(cursor) = cursor {
        request = request.header("last-event-id", cursor);
    }
    request.body(Body::from(input.to_string())).unwrap()
}

/// A request without a body.
pub fn bare(method: &str, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "localhost").body(Body::empty()).unwrap()
}
