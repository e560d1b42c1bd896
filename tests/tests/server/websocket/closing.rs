//! The end of a socket: by its limits of time, for another connection, with the server.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use serde_json::json;

use super::runs::served;
use super::socket::Socket;
use crate::kitchen::{Cook, Served, asking};

#[tokio::test]
async fn a_client_that_answers_pings_stays_and_one_that_does_not_is_cut() {
    let served = served(Limits::default().write_timeout(Duration::from_millis(400))).await;
    let mut quiet = Socket::open(served.address).await;
    quiet.run("1", "wait").await;
    quiet.until("waiting").await;
    let mut lively = Socket::open(served.address).await;
    lively.run("1", "wait").await;
    lively.until("waiting").await;
    // Reading answers pings, and nothing else happens on this socket.
    let silent = tokio::time::timeout(Duration::from_millis(1500), lively.message()).await;
    assert!(silent.is_err(), "{silent:?}");
    lively.run("2", "hello").await;
    lively.until_end("2").await;
    assert!(quiet.is_cut().await, "it answered no ping for longer than the limit");
}

#[tokio::test]
async fn a_socket_without_runs_is_closed_when_it_was_idle_for_long() {
    let served = served(Limits::default().idle_timeout(Duration::from_millis(400))).await;
    let mut socket = Socket::open(served.address).await;
    socket.run("1", "wait").await;
    socket.until("waiting").await;
    let silent = tokio::time::timeout(Duration::from_millis(800), socket.message()).await;
    assert!(silent.is_err(), "a run goes on: {silent:?}");
    socket.send(&json!({ "type": "cancel", "id": "1" })).await;
    socket.until_end("1").await;
    assert_eq!(socket.closed().await, (1000, "no run was on the socket".to_owned()));
}

#[tokio::test]
async fn a_socket_without_runs_makes_room_for_another_connection() {
    let served = served(Limits::default().connections(1)).await;
    let mut idle = Socket::open(served.address).await;
    idle.run("1", "hello").await;
    idle.until_end("1").await;
    let other = Request::run("/", asking("hello").to_string());
    assert_eq!(other.send(served.address).await.status, 200);
    assert!(idle.is_cut().await);
    let mut busy = Socket::open(served.address).await;
    busy.run("1", "wait").await;
    busy.until("waiting").await;
    assert_eq!(other.send(served.address).await.status, 503);
    busy.run("2", "hello").await;
    busy.until_end("2").await;
}

#[tokio::test]
async fn a_server_that_ends_lets_runs_end_and_then_goes_away() {
    let (cook, _told) = Cook::new();
    let bell = Arc::clone(&cook.bell);
    let mut served = Served::start(Server::new().websocket().agent("/", cook)).await;
    let mut idle = Socket::open(served.address).await;
    idle.run("1", "hello").await;
    idle.until_end("1").await;
    let mut busy = Socket::open(served.address).await;
    busy.run("1", "wait").await;
    busy.until("waiting").await;
    served.stop();
    assert_eq!(idle.closed().await, (1001, "the server ends".to_owned()));
    // The other socket learns of the end at about the same time.
    let refused = loop {
        busy.run("2", "hello").await;
        let end = busy.until_end("2").await.pop().unwrap();
        if !end["status"].is_null() {
            break end;
        }
    };
    assert_eq!((&refused["status"], &refused["body"]["error"]["code"]), (&json!(503), &json!("shutdown")));
    bell.notify_one();
    let frames = busy.until_end("1").await;
    assert!(frames.iter().any(|frame| frame["event"]["type"] == "RUN_FINISHED"), "{frames:#?}");
    assert_eq!(busy.closed().await.0, 1001);
    served.ended().await.unwrap();
}

#[tokio::test]
async fn runs_that_outlast_the_grace_end_with_an_error_before_their_socket() {
    let limits = Limits::default().shutdown_grace(Duration::from_millis(100));
    let mut served = served(limits).await;
    let mut socket = Socket::open(served.address).await;
    socket.run("1", "wait").await;
    socket.until("waiting").await;
    served.stop();
    let frames = socket.until_end("1").await;
    assert!(frames.iter().any(|frame| frame["event"]["code"] == "shutdown"), "{frames:#?}");
    assert_eq!(socket.closed().await.0, 1001);
    served.ended().await.unwrap();
}
