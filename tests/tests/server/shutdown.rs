//! How servers end.

use std::time::{Duration, Instant};

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Piece, Request};
use serde_json::{Value, json};

use crate::kitchen::{Cook, Served, Told, asking};

#[tokio::test]
async fn a_server_without_runs_ends_at_once() {
    let mut served = Served::start(
        Server::new().agent("/", Cook::new().0).limits(Limits::default().shutdown_grace(Duration::MAX)),
    )
    .await;
    // A connection that is kept for later does not hold it up.
    let idle = Connection::open(served.address).await;
    let mut used = Connection::open(served.address).await;
    let request = Request::run("/", asking("who").to_string());
    used.send(&request.head()).await;
    used.send(asking("who").to_string().as_bytes()).await;
    let mut answer = used.answer().await;
    answer.until("RUN_FINISHED").await;
    served.stop();
    served.ended().await.unwrap();
    drop((idle, answer));
}

#[tokio::test]
async fn a_run_may_end_in_its_own_time() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let mut served = Served::start(
        Server::new().agent("/", cook).limits(Limits::default().shutdown_grace(Duration::from_secs(600))),
    )
    .await;
    let address = served.address;
    let mut answer = Request::run("/", asking("wait").to_string()).open(address).await;
    answer.until("waiting").await;
    served.stop();
    // Nobody new is let in.
    let refused = async { while tokio::net::TcpStream::connect(address).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), refused).await.unwrap();
    bell.notify_one();
    answer.until("RUN_FINISHED").await;
    assert_eq!(answer.next().await, Piece::End);
    served.ended().await.unwrap();
}

#[tokio::test]
async fn a_run_that_goes_on_too_long_ends_with_an_error_that_says_so() {
    let (cook, mut told) = Cook::new();
    let grace = Duration::from_millis(50);
    let mut served =
        Served::start(Server::new().agent("/", cook).limits(Limits::default().shutdown_grace(grace))).await;
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
    let asked = Instant::now();
    served.stop();
    assert_eq!(told.recv().await, Some(Told::Dropped));
    assert!(asked.elapsed() >= grace);
    let end = answer.until("RUN_ERROR").await;
    let error = end.trim_end().lines().last().unwrap().strip_prefix("data: ").unwrap();
    let error: Value = serde_json::from_str(error).unwrap();
    assert_eq!((&error["type"], &error["code"]), (&json!("RUN_ERROR"), &json!("shutdown")), "{end}");
    assert_eq!(answer.next().await, Piece::End);
    served.ended().await.unwrap();
}
