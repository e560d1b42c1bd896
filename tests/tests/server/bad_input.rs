//! Requests that start no run, each with its status, code and place.

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Request};
use serde_json::{Value, json};

use crate::kitchen::{Cook, Served, asking};

/// Checks an error body, whose message has to contain `says`.
async fn check(served: &Served, request: &Request, status: u16, code: &str, path: Option<&str>, says: &str) {
    let origin = "http://localhost:5173";
    let answer = request.clone().header("origin", origin).send(served.address).await;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    let context = format!("{request:?}\n{} {body}", answer.status);
    assert_eq!(answer.status, status, "{context}");
    assert_eq!(answer.header("content-type"), Some("application/json"), "{context}");
    let error = &answer.json()["error"];
    assert_eq!(error["code"], code, "{context}");
    assert_eq!(error["path"].as_str(), path, "{context}");
    assert!(error["message"].as_str().unwrap().contains(says), "`{says}`? {context}");
    // Pages of other allowed origins may read the reason.
    assert_eq!(answer.header("access-control-allow-origin"), Some(origin), "{context}");
}

/// `asking("hello")` with one member replaced.
fn with(member: &str, value: Value) -> Value {
    let mut input = asking("hello");
    input[member] = value;
    input
}

fn without(member: &str) -> Value {
    let mut input = asking("hello");
    input.as_object_mut().unwrap().remove(member);
    input
}

fn message(message: Value) -> Value {
    with("messages", json!([{ "id": "s", "role": "system", "content": "" }, message]))
}

fn user(content: Value) -> Value {
    message(json!({ "id": "u", "role": "user", "content": content }))
}

#[tokio::test]
async fn malformed_json_is_refused_with_its_line_and_column() {
    let served = Served::cook().await;
    let rows: &[(&[u8], &str, &str)] = &[
        (b"", ".", "EOF"),
        (b"hello", ".", "expected value"),
        (b"{\"threadId\": \"t\",\n  \"runId\" 5}", ".", "expected `:` at line 2"),
        (b"{\"messages\": [{\"id\": \"u\", \"content\": tru}]}", "messages[0].content", "expected ident"),
        (b"{} {}", ".", "trailing characters"),
        (b"{\"threadId\": \"\xff\"}", "threadId", "unicode"),
        (b"{\"state\": 1e999}", "state", "number out of range"),
    ];
    for (body, path, says) in rows {
        check(&served, &Request::run("/", *body), 400, "invalid_json", Some(path), says).await;
    }

    let answer = Request::run("/", "{\n  \"runId\" 5}").send(served.address).await.json();
    assert_eq!((&answer["error"]["line"], &answer["error"]["column"]), (&json!(2), &json!(11)), "{answer}");
}

#[tokio::test]
async fn a_wrong_shape_is_refused_with_its_place_and_what_was_expected() {
    let served = Served::cook().await;
    let rows: Vec<(Value, &str, &str)> = vec![
        (json!([]), ".", "expected an object"),
        (json!([asking("hello")]), ".", "expected an object"),
        (json!("hello"), ".", "expected an object"),
        (json!(null), ".", "expected an object"),
        (json!({}), ".", "missing field `threadId`"),
        (without("threadId"), ".", "missing field `threadId`"),
        (without("runId"), ".", "missing field `runId`"),
        (without("messages"), ".", "missing field `messages`"),
        (with("threadId", json!(5)), "threadId", "expected a string"),
        (with("threadId", json!(null)), "threadId", "expected a string"),
        (with("runId", json!({})), "runId", "expected a string"),
        (with("protocolVersion", json!(1.0)), "protocolVersion", "expected a string"),
        (with("protocolVersion", json!(null)), "protocolVersion", "expected a string"),
        (with("parentRunId", json!(null)), "parentRunId", "expected a string"),
        (with("messages", json!("hello")), "messages", "expected a sequence"),
        (with("messages", json!({})), "messages", "expected a sequence"),
        (with("messages", json!(null)), "messages", "expected a sequence"),
        (with("messages", json!([null])), "messages[0]", "expected a message"),
        (with("messages", json!(["hello"])), "messages[0]", "expected a message"),
        (with("tools", json!(null)), "tools", "expected a sequence"),
        (with("tools", json!([5])), "tools[0]", "expected an object"),
        (with("tools", json!([{ "name": "price" }])), "tools[0]", "missing field `description`"),
        (
            with("context", json!([{ "description": "x", "value": 1 }])),
            "context[0].value",
            "expected a string",
        ),
        (
            with("resume", json!({ "interruptId": "i", "status": "resolved" })),
            "resume",
            "expected a sequence",
        ),
        (with("resume", json!([{ "interruptId": "i", "status": "maybe" }])), "resume[0].status", "maybe"),
        (message(json!({ "role": "user", "content": "x" })), "messages[1]", "missing field `id`"),
        (message(json!({ "id": 5, "role": "user", "content": "x" })), "messages[1].id", "expected a string"),
        (message(json!({ "id": "u", "role": "user" })), "messages[1]", "missing field `content`"),
        (
            message(json!({ "id": "u", "role": "system", "content": [] })),
            "messages[1].content",
            "expected a string",
        ),
        (
            message(json!({ "content": [], "id": "u", "role": "assistant" })),
            "messages[1].content",
            "expected a string",
        ),
        (
            message(json!({ "id": "u", "role": "tool", "content": "" })),
            "messages[1]",
            "missing field `toolCallId`",
        ),
        (
            message(json!({ "id": "u", "role": "assistant", "toolCalls": [{ "id": "c", "type": "function",
                "function": { "name": "price", "arguments": {} } }] })),
            "messages[1].toolCalls[0].function.arguments",
            "expected a string",
        ),
        (user(json!(null)), "messages[1].content", "expected a string or an array"),
        (user(json!(5)), "messages[1].content", "expected a string or an array"),
        (user(json!([null])), "messages[1].content[0]", "expected a content part"),
        (user(json!([{ "type": "text" }])), "messages[1].content[0]", "missing field `text`"),
        (user(json!([{ "text": 5, "type": "text" }])), "messages[1].content[0].text", "expected a string"),
        (user(json!([{ "type": "image" }])), "messages[1].content[0]", "missing field `source`"),
        (
            user(json!([{ "type": "image", "source": { "type": "data", "value": "aGk=" } }])),
            "messages[1].content[0].source",
            "missing field `mimeType`",
        ),
        (
            user(json!([{ "type": "text", "text": "x", "metadata": null }])),
            "messages[1].content[0].metadata",
            "null",
        ),
    ];
    for (body, path, says) in rows {
        check(&served, &Request::run("/", body.to_string()), 422, "invalid_input", Some(path), says).await;
    }
}

#[tokio::test]
async fn places_are_counted_as_the_client_counts_them() {
    let served = Served::cook().await;
    let input = with(
        "messages",
        json!([
            { "id": "n", "role": "narrator" },
            { "id": "s", "role": "system", "content": "" },
            { "id": "n", "role": "narrator" },
            { "id": "u", "role": "user", "content": [
                { "type": "hologram" }, { "type": "hologram" }, { "type": "text", "text": 5 },
            ] },
        ]),
    );
    let request = Request::run("/", input.to_string());
    check(&served, &request, 422, "invalid_input", Some("messages[3].content[2].text"), "expected a string")
        .await;
}

#[tokio::test]
async fn another_major_version_is_refused_before_its_shape_is_looked_at() {
    let served = Served::cook().await;
    for input in [with("protocolVersion", json!("2.0")), json!({ "protocolVersion": "2.0", "thread": {} })] {
        check(
            &served,
            &Request::run("/", input.to_string()),
            400,
            "unsupported_protocol_version",
            Some("protocolVersion"),
            "expected protocol version 1.x, found `2.0`",
        )
        .await;
    }
    for (version, answer) in [("1.0", "1.0"), ("1.1", "1.1"), ("1.7", "1.1")] {
        let mut input = asking("who");
        input["protocolVersion"] = json!(version);
        let events = Request::run("/", input.to_string()).send(served.address).await.events();
        assert_eq!(events[0]["protocolVersion"], answer, "one that both speak");
    }
}

#[tokio::test]
async fn wrong_requests_are_refused_with_what_is_right() {
    let served = Served::cook().await;
    let good = Request::run("/", asking("hello").to_string());
    let rows = [
        (
            good.clone().header("content-type", "text/plain"),
            415,
            "unsupported_media_type",
            "found `text/plain`",
        ),
        (good.clone().without("content-type"), 415, "unsupported_media_type", "found nothing"),
        (
            good.clone().header("content-type", "application/json; charset=\"UTF-16\""),
            415,
            "unsupported_media_type",
            "found the charset `UTF-16`",
        ),
        (
            good.clone().header("content-type", "application/json; charset=utf-8; charset=utf-16"),
            415,
            "unsupported_media_type",
            "found the charset `utf-16`",
        ),
        (
            good.clone().header("content-type", "application/json; Charset*=utf-16''x"),
            415,
            "unsupported_media_type",
            "found the charset `utf-16''x`",
        ),
        (
            Request::new("GET", "/").header("accept", "text/event-stream"),
            405,
            "method_not_allowed",
            "`/` does not answer GET",
        ),
        (Request::new("DELETE", "/"), 405, "method_not_allowed", "`/` does not answer DELETE"),
        (Request::new("POST", "/capabilities"), 405, "method_not_allowed", "does not answer POST"),
        (Request::run("/chef", "{}"), 404, "not_found", "this server's agents are at `/`"),
    ];
    for (request, status, code, says) in rows {
        check(&served, &request, status, code, None, says).await;
    }
    let answer = Request::new("DELETE", "/").send(served.address).await;
    assert_eq!(answer.header("allow"), Some("POST"));

    for request in [
        good.clone(),
        good.clone().without("accept"),
        good.clone().header("accept", "*/*"),
        good.clone().header("accept", "application/*"),
        good.clone().header("accept", "application/json"),
        good.clone().header("accept", "text/event-stream;q=0"),
        good.clone().header("accept", "application/vnd.ag-ui.event+proto;q=0"),
        good.clone().header("content-type", "application/json; charset=utf-8"),
        good.clone().header("content-type", "Application/JSON"),
    ] {
        let answer = request.send(served.address).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some("text/event-stream")),
            "{request:?}"
        );
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let input = asking("who").to_string();
    let served = Served::start(
        Server::new().agent("/", Cook::new().0).limits(Limits::default().body_size(input.len())),
    )
    .await;
    let exactly = Request::run("/", input.clone()).send(served.address).await;
    assert_eq!(exactly.status, 200);

    let says = format!("at most {} bytes", input.len());
    let longer = Request::run("/", format!("{input} "));
    check(&served, &longer, 413, "body_too_large", None, &says).await;

    // Chunked bodies announce no length.
    let mut connection = Connection::open(served.address).await;
    let head = Request::run("/", "").without("content-length").header("transfer-encoding", "chunked");
    connection.send(&head.head()).await;
    connection.send(format!("{:x}\r\n{input} \r\n0\r\n\r\n", input.len() + 1).as_bytes()).await;
    let answer = connection.answer().await.whole().await;
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (413, &json!("body_too_large")));

    // A client that asks before sending is refused at once.
    let mut connection = Connection::open(served.address).await;
    let head = Request::run("/", "").header("content-length", "9999999999").header("expect", "100-continue");
    connection.send(&head.head()).await;
    assert_eq!(connection.answer().await.status, 413);
}

#[tokio::test]
async fn a_large_body_within_the_limit_is_read() {
    let served = Served::cook().await;
    let mut input = asking("who");
    input["forwardedProps"] = "x".repeat(9 * 1024 * 1024).into();
    let events = Request::run("/", input.to_string()).send(served.address).await.events();
    assert_eq!(events.last().unwrap()["result"], "cook");
}

#[tokio::test]
async fn a_slightly_too_large_body_still_gets_the_reason() {
    let served = Served::cook().await;
    let body = vec![b' '; 11 * 1024 * 1024];
    check(&served, &Request::run("/", body), 413, "body_too_large", None, "10485760").await;
}

#[tokio::test]
async fn a_request_that_ends_in_the_middle_affects_no_other() {
    let served = Served::cook().await;
    let mut connection = Connection::open(served.address).await;
    connection.send(&Request::run("/", asking("hello").to_string()).head()).await;
    connection.send(b"{\"thr").await;
    drop(connection);
    let after = Request::run("/", asking("who").to_string()).send(served.address).await.events();
    assert_eq!(after.last().unwrap()["result"], "cook");
}
