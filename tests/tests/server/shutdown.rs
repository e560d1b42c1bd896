//! The ends of servers.

use std::time::{Duration, Instant};

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Piece, Request};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpSocket;
use tokio::time::timeout;

use crate::kitchen::{Cook, Report, Served, asking};

/// Against hangs.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_server_without_runs_ends_at_once() {
    let mut served = Served::start(
        Server::new().agent("/", Cook::new().0).limits(Limits::default().shutdown_grace(Duration::MAX)),
    )
    .await;
    // An idle connection does not delay it.
    let idle = Connection::open(served.address).await;
    let mut used = Connection::open(served.address).await;
    let request = Request::run("/", asking("who").to_string());
    used.send(&request.head()).await;
    used.send(asking("who").to_string().as_bytes()).await;
    let mut answer = used.answer().await;
    answer.until("RUN_FINISHED").await;
    served.stop();
    // Before it would be closed as idle.
    timeout(PATIENCE, served.ended()).await.expect("the server goes on").unwrap();
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
    // New connections are refused.
    let refused = async { while tokio::net::TcpStream::connect(address).await.is_ok() {} };
    timeout(PATIENCE, refused).await.unwrap();
    bell.notify_one();
    answer.until("RUN_FINISHED").await;
    assert_eq!(answer.next().await, Piece::End);
    served.ended().await.unwrap();
}

#[tokio::test]
async fn a_run_that_goes_on_too_long_ends_with_an_error_that_says_so() {
    let (cook, mut reports) = Cook::new();
    let grace = Duration::from_millis(50);
    let mut served =
        Served::start(Server::new().agent("/", cook).limits(Limits::default().shutdown_grace(grace))).await;
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
    let asked = Instant::now();
    served.stop();
    assert_eq!(reports.recv().await, Some(Report::Dropped));
    assert!(asked.elapsed() >= grace);
    let end = answer.until("RUN_ERROR").await;
    let error = end.trim_end().lines().last().unwrap().strip_prefix("data: ").unwrap();
    let error: Value = serde_json::from_str(error).unwrap();
    assert_eq!((&error["type"], &error["code"]), (&json!("RUN_ERROR"), &json!("shutdown")), "{end}");
    assert_eq!(answer.next().await, Piece::End);
    served.ended().await.unwrap();
}

/// It cannot learn that the server ends, and must not delay it.
#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off() {
    let (cook, mut reports) = Cook::new();
    let limits =
        Limits::default().shutdown_grace(Duration::from_millis(50)).write_timeout(None).run_timeout(None);
    let mut served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let socket = TcpSocket::new_v4().unwrap();
    // So that the run stands still soon.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut unread = socket.connect(served.address).await.unwrap();
    let body = asking("endless").to_string();
    let request = [Request::run("/", body.as_str()).head(), body.into_bytes()].concat();
    unread.write_all(&request).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    served.stop();
    timeout(PATIENCE, served.ended()).await.expect("the server goes on").unwrap();
    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
}
