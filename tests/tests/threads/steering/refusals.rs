//! Requests that cannot join a run.

use agui_runtime::Limits;
use agui_runtime::thread::LARGEST_RECORD;
use agui_tests::http::Request;
use serde_json::{Value, json};
use tokio::time::{Duration, timeout};

use super::{memory, post, records_with, serve, steer, working};
use crate::thread_server::{ThreadServer, asking, is_refused};

fn with(messages: Value) -> Value {
    let mut input = asking("9", "");
    input["messages"] = messages;
    input
}

fn user(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "user", "content": text })
}

#[tokio::test]
async fn a_request_that_changes_the_conversation_is_refused() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    assert_eq!(post(&server, "/", &asking("0", "hello")).await.status, 200);
    let first = working(&server, "/", &desk, "look it up").await;
    for (messages, what) in [
        (json!([]), "nothing new"),
        (json!([user("u-1", "look it up")]), "a regeneration"),
        (json!([user("u-1", "look it down"), user("u-9", "more")]), "an edited message"),
        (json!([user("u-0", "hello"), user("u-9", "instead")]), "a message in another's place"),
        (json!([user("u-9", "before"), user("u-1", "look it up")]), "a message in the past"),
    ] {
        let refused = post(&server, "/", &with(messages)).await;
        assert_eq!(refused.status, 409, "{what}: {}", refused.text());
        is_refused(&refused, 409, "thread_busy");
    }
    let other_role = json!([{ "id": "u-1", "role": "assistant", "content": "no" }, user("u-9", "more")]);
    is_refused(&post(&server, "/", &with(other_role)).await, 409, "history_conflict");
    let result =
        json!([{ "id": "r", "role": "tool", "toolCallId": "c", "content": "no" }, user("u-9", "more")]);
    is_refused(&post(&server, "/", &with(result)).await, 409, "call_not_open");
    assert_eq!(records_with(&log, "/", "steered").await, 0, "nothing is stored");
    desk.go_on.notify_one();
    first.whole().await;
    assert_eq!(desk.prompts().len(), 3);
}

#[tokio::test]
async fn a_message_that_the_store_cannot_take_is_refused() {
    let (log, desk) = memory();
    let limits = Limits::default().body_size(2 * LARGEST_RECORD);
    let server = ThreadServer::serve(super::server_on(log.clone(), &desk).limits(limits)).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let messages: Vec<_> =
        (2..7).map(|number| user(&format!("u-{number}"), &"a".repeat(LARGEST_RECORD / 4))).collect();
    is_refused(&post(&server, "/", &with(json!(messages))).await, 413, "body_too_large");
    desk.go_on.notify_one();
    first.whole().await;
    assert_eq!(records_with(&log, "/", "u-2").await, 0);
}

#[tokio::test]
async fn a_run_has_a_limit_for_messages_that_wait() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let many: Vec<_> = (0..64).map(|number| user(&format!("m-{number}"), "more")).collect();
    let mut input = asking("2", "");
    input["messages"] = json!(many);
    let answer = super::open(&server, "/", &input).await;
    is_refused(&post(&server, "/", &asking("3", "one more")).await, 409, "thread_busy");
    desk.go_on.notify_one();
    first.whole().await;
    answer.whole().await;
    assert_eq!(desk.prompts().pop().unwrap(), ["look it up".to_owned(), "more".repeat(64)]);
}

#[tokio::test]
async fn a_message_with_a_file_waits_for_a_run_of_its_own() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let mut input = asking("2", "");
    input["messages"][0]["content"] = json!([{ "type": "text", "text": "and this" }]);
    let (address, request) = (server.address, Request::run("/", input.to_string()));
    let mut second = tokio::spawn(async move { request.send(address).await });
    assert!(timeout(Duration::from_millis(200), &mut second).await.is_err(), "the first goes on");
    desk.go_on.notify_one();
    first.whole().await;
    assert_eq!(second.await.unwrap().status, 200);
    assert_eq!(records_with(&log, "/", "steered").await, 0);
    assert_eq!(desk.prompts().pop().unwrap(), ["look it up", "and this"]);
}

#[tokio::test]
async fn a_message_to_an_idle_thread_is_a_run() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let answer = steer_idle(&server).await;
    assert_eq!(answer.status, 200);
    assert_eq!(records_with(&log, "/", "steered").await, 0);
    let first = working(&server, "/", &desk, "look it up").await;
    drop(steer(&server, "/", "2", "green").await);
    desk.go_on.notify_one();
    first.whole().await;
}

async fn steer_idle(server: &ThreadServer) -> agui_tests::http::Whole {
    post(server, "/", &asking("0", "hello")).await
}

#[tokio::test]
async fn another_text_under_the_id_of_a_message_that_waits_is_refused() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let second = steer(&server, "/", "2", "green").await;
    is_refused(&post(&server, "/", &with(json!([user("u-2", "black")]))).await, 409, "thread_busy");
    desk.go_on.notify_one();
    first.whole().await;
    second.whole().await;
    assert_eq!(desk.prompts().pop().unwrap(), ["look it up", "green"]);
}

#[tokio::test]
async fn messages_that_wait_take_no_place_of_a_run() {
    let (log, desk) = memory();
    let limits = Limits::default().runs(2);
    let server = ThreadServer::serve(super::server_on(log.clone(), &desk).limits(limits)).await;
    let first = working(&server, "/deaf", &desk, "wait").await;
    let mut others = Vec::new();
    for run in ["2", "3", "4"] {
        others.push(steer(&server, "/deaf", run, run).await);
    }
    desk.go_on.notify_one();
    first.whole().await;
    for other in others {
        let whole = other.whole().await;
        assert_eq!(super::conversation(&whole).pop().unwrap().1, "I hear: 4", "{whole}");
    }
    assert_eq!(records_with(&log, "/deaf", r#""type":"RUN_STARTED""#).await, 2);
}
