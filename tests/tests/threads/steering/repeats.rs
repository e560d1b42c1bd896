//! Requests that come again.

use agui_tests::http::Request;
use serde_json::json;

use super::{conversation, memory, open, post, records_with, serve, steer, stored, working};
use crate::thread_server::{asking, events, is_legal, is_refused};

#[tokio::test]
async fn a_repeated_request_joins_and_adds_nothing() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let again = [steer(&server, "/", "2", "green").await, steer(&server, "/", "2", "green").await];
    // The same message under another run id.
    let mut other = asking("3", "green");
    other["messages"][0]["id"] = json!("u-2");
    let other = open(&server, "/", &other).await;
    desk.go_on.notify_one();
    first.whole().await;
    for answer in again.into_iter().chain([other]) {
        is_legal(&answer.whole().await);
    }
    // Also when the run is over.
    let late = post(&server, "/", &asking("2", "green")).await;
    is_legal(late.text());
    assert_eq!(conversation(late.text()), stored(&server, "/").await);
    assert_eq!(desk.prompts(), [vec!["look it up"], vec!["look it up", "green"]]);
    assert_eq!(records_with(&log, "/", r#""control":"steered""#).await, 1);
    assert_eq!(records_with(&log, "/", r#""messageId":"u-2","role":"user""#).await, 1);
    is_refused(&post(&server, "/", &asking("2", "black")).await, 409, "run_exists");
}

#[tokio::test]
async fn a_client_that_was_cut_off_goes_on_after_its_last_event() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let second = steer(&server, "/", "2", "green").await;
    let cursor = second.seen.lines().rev().find_map(|line| line.strip_prefix("id: ").map(str::to_owned));
    drop(second);
    desk.go_on.notify_one();
    first.whole().await;
    let mut input = asking("2", "green");
    input["lastSeenEventId"] = json!(cursor.expect("the conversation has an id"));
    let rest = post(&server, "/", &input).await;
    assert_eq!(rest.status, 200, "{}", rest.text());
    assert_eq!(events(rest.text()).pop().unwrap()["type"], "RUN_FINISHED", "{}", rest.text());
}

#[tokio::test]
async fn a_client_that_was_cut_off_in_the_steered_run_reads_into_the_run_that_its_message_started() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/deaf", &desk, "wait").await;
    let second = steer(&server, "/deaf", "2", "and then?").await;
    let cursor = second.seen.lines().rev().find_map(|line| line.strip_prefix("id: ").map(str::to_owned));
    desk.go_on.notify_one();
    first.whole().await;
    is_legal(&second.whole().await);
    let mut input = asking("2", "and then?");
    input["lastSeenEventId"] = json!(cursor.expect("the conversation has an id"));
    let rest = post(&server, "/deaf", &input).await;
    assert_eq!(rest.status, 200, "{}", rest.text());
    let ends = events(rest.text()).into_iter().filter(|event| event["type"] == "RUN_FINISHED");
    assert_eq!(ends.map(|end| end["runId"].clone()).collect::<Vec<_>>(), ["1", "2"], "{}", rest.text());
}

#[tokio::test]
async fn a_repeated_request_reads_the_thread_while_a_later_run_works() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    drop(steer(&server, "/", "2", "green").await);
    desk.go_on.notify_one();
    first.whole().await;
    let third = Request::run("/", asking("3", "look again").to_string()).open(server.address).await;
    desk.waits.notified().await;
    let again = steer(&server, "/", "2", "green").await;
    desk.go_on.notify_one();
    third.whole().await;
    let again = again.whole().await;
    is_legal(&again);
    assert_eq!(conversation(&again), stored(&server, "/").await);
    assert_eq!(records_with(&log, "/", r#""control":"steered""#).await, 1);
}
