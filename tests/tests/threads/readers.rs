//! The budget of readers: a reader is no run, and has limits of its own.

use std::time::Duration;

use agui_runtime::a2a::A2aServer;
use agui_runtime::thread::Memory;
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Server};
use agui_tests::http::{Request, Whole};
use serde_json::{Value, json};

use crate::thread_server::{Bells, Clerk, ThreadServer, asking, connecting, is_refused, request};

async fn serve(limits: Limits) -> ThreadServer {
    let clerk = || Clerk::new(Bells::default());
    let server = Server::new().threads(Memory::new()).limits(limits);
    ThreadServer::serve(server.agent("/", clerk()).a2a("/a2a", A2aServer::new(clerk()))).await
}

fn follow(thread: &str) -> Request {
    Request::new("GET", &format!("/threads/{thread}/events"))
}

fn is_too_many(answer: &Whole) {
    is_refused(answer, 429, "too_many_readers");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// Sends a request until its answer is not a refusal: a server notices soon that a reader left.
async fn again(server: &ThreadServer, request: &Request) -> u16 {
    for _ in 0..200 {
        let status = request.open(server.address).await.status;
        if ![429, 503].contains(&status) {
            return status;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    429
}

#[tokio::test]
async fn readers_of_a_thread_and_of_a_client_have_limits() {
    let server = serve(Limits::default().readers_per_thread(2)).await;
    server.run(&asking("1", "hello")).await;
    let first = follow("t").open(server.address).await;
    let _second = server.waiting("2").await;
    let _third = follow("t").open(server.address).await;
    is_too_many(&follow("t").send(server.address).await);
    is_too_many(&server.connect(None).await);
    is_too_many(&request(&asking("2", "wait")).send(server.address).await);
    assert_eq!(follow("another").open(server.address).await.status, 200);
    drop(first);
    assert_eq!(again(&server, &follow("t")).await, 200);

    let server = serve(Limits::default().readers_per_client(1)).await;
    let _one = follow("t").open(server.address).await;
    is_too_many(&follow("u").send(server.address).await);
    let elsewhere = follow("u").from([127, 0, 0, 3].into()).open(server.address).await;
    assert_eq!(elsewhere.status, 200, "another client");
    assert_eq!(server.run(&asking("1", "hello")).await.status, 200, "a run is no reader");
}

/// A text that is longer than all sockets together hold.
fn long(thread: &str, said: &str) -> Value {
    let mut long = asking("1", "hello");
    long["threadId"] = json!(thread);
    long["messages"][0]["content"] = json!(format!("{said} {}", "x".repeat(5_000_000)));
    long
}

/// Serves two long threads `t` and `u`, of which readers may hold one.
async fn with_long_threads() -> ThreadServer {
    let server = serve(Limits::default().reader_memory(1)).await;
    for thread in ["t", "u"] {
        assert_eq!(server.run(&long(thread, "hello")).await.status, 200);
    }
    server
}

fn is_busy(answer: &Whole) {
    is_refused(answer, 503, "server_busy");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn readers_of_other_threads_wait_for_memory() {
    let server = with_long_threads().await;
    let held = follow("t").open(server.address).await;
    let shared = connecting(None).send(server.address).await;
    assert_eq!(shared.status, 200, "it is the same copy");
    assert!(shared.text().len() > 5_000_000);
    is_busy(&follow("u").send(server.address).await);
    let binary = follow("u").header("accept", proto::CONTENT_TYPE);
    is_busy(&binary.send(server.address).await);
    drop(held);
    assert_eq!(again(&server, &follow("u")).await, 200);
}

#[tokio::test]
async fn a_run_waits_for_no_reader() {
    let server = with_long_threads().await;
    let _held = follow("t").open(server.address).await;
    let mut next = asking("2", "hello");
    next["threadId"] = json!("u");
    let answer = server.run(&next).await;
    assert!(answer.status == 200 && answer.text().contains("RUN_FINISHED"), "{}", answer.status);
}

#[tokio::test]
async fn a_run_that_goes_on_counts_as_long_as_its_thread_is() {
    let server = serve(Limits::default().reader_memory(1)).await;
    assert_eq!(server.run(&long("t", "hello")).await.status, 200);
    let _waiting = request(&long("u", "wait")).open(server.address).await;
    let _held = follow("t").open(server.address).await;
    is_busy(&follow("u").send(server.address).await);
}

#[tokio::test]
async fn the_state_of_an_older_client_counts() {
    let server = serve(Limits::default().reader_memory(1)).await;
    let mut old = asking("1", "hello");
    old.as_object_mut().unwrap().remove("protocolVersion");
    old["state"] = json!({ "count": 1, "more": "x".repeat(1_000_000) });
    assert_eq!(server.run(&old).await.status, 200);
    assert_eq!(server.run(&long("u", "hello")).await.status, 200);
    let _held = follow("u").open(server.address).await;
    // The same request again reads the run of the first.
    is_busy(&request(&old).send(server.address).await);
}

#[tokio::test]
async fn readers_of_tasks_have_limits_too() {
    let server = serve(Limits::default().readers_per_client(0)).await;
    let list = Request::new("GET", "/a2a/tasks?contextId=c").header("a2a-version", "1.0");
    is_too_many(&list.send(server.address).await);
}
