//! Runs that are not read: each waits alone, and holds a bounded amount.

use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use serde_json::{Value, json};

use super::runs::served;
use super::socket::{Socket, dropped, run};
use crate::kitchen::{Cook, Served, asking};

fn windowed(id: &str, text: &str, window: u32) -> Value {
    let mut frame = run(id, text);
    frame["window"] = json!(window);
    frame
}

#[tokio::test]
async fn a_run_without_credit_stops_no_other_run() {
    let served = served(Limits::default()).await;
    let mut socket = Socket::open(served.address).await;
    socket.send(&windowed("starved", "endless", 2)).await;
    assert_eq!(socket.frame().await["type"], "open");
    for _ in 0..2 {
        assert_eq!(socket.frame().await["id"], "starved");
    }
    socket.run("fed", "many").await;
    let frames = socket.until_end("fed").await;
    assert!(frames.len() > 2000);
    assert!(frames.iter().all(|frame| frame["id"] == "fed"), "the other run has no credit");
    socket.send(&json!({ "type": "window", "id": "starved", "more": 3 })).await;
    for _ in 0..3 {
        let frame = socket.frame().await;
        assert_eq!((&frame["id"], &frame["type"]), (&json!("starved"), &json!("event")));
    }
    socket.run("fed", "hello").await;
    assert!(socket.until_end("fed").await.iter().all(|frame| frame["id"] == "fed"));
}

#[tokio::test]
async fn a_run_that_gets_no_credit_in_time_is_dropped() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(Duration::from_millis(300));
    let served = Served::start(Server::new().websocket().agent("/", cook).limits(limits)).await;
    let mut socket = Socket::open(served.address).await;
    socket.send(&windowed("1", "endless", 4)).await;
    let end = socket.until_end("1").await.pop().unwrap();
    assert_eq!(end["error"]["code"], "write_timeout");
    dropped(&mut reports).await;
    socket.run("1", "hello").await;
    assert_eq!(socket.until_end("1").await.pop().unwrap(), json!({ "type": "end", "id": "1" }));
}

#[tokio::test]
async fn a_client_that_never_reads_is_cut_and_keeps_no_other_out() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(Duration::from_millis(500));
    let served = Served::start(Server::new().websocket().agent("/", cook).limits(limits)).await;
    let mut deaf = Socket::open(served.address).await;
    for id in ["1", "2", "3"] {
        deaf.run(id, "endless").await;
        // A run begins when its first frame goes out.
        while deaf.frame().await["id"] != id {}
    }
    let other = Request::run("/", asking("hello").to_string()).send(served.address).await;
    assert_eq!(other.status, 200);
    for _ in 0..3 {
        dropped(&mut reports).await;
    }
    assert!(deaf.is_cut().await);
}

#[tokio::test]
async fn an_application_of_its_own_cuts_a_client_that_never_reads_too() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(Duration::from_millis(500));
    let app = Server::new().websocket().agent("/", cook).limits(limits).router().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let mut deaf = Socket::open(address).await;
    deaf.run("1", "endless").await;
    dropped(&mut reports).await;
    assert!(deaf.is_cut().await);
}

#[tokio::test]
async fn a_window_that_no_client_can_mean_closes_the_socket() {
    let served = served(Limits::default()).await;
    let mut socket = Socket::open(served.address).await;
    socket.send(&windowed("1", "wait", 10)).await;
    for _ in 0..2 {
        socket.send(&json!({ "type": "window", "id": "1", "more": u32::MAX })).await;
    }
    assert_eq!(socket.closed().await, (1008, "the window is too large".to_owned()));
}
