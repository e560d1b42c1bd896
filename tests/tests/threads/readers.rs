//! The budget of readers: a reader is no run, and has limits of its own.

use std::time::Duration;

use agui_runtime::a2a::A2aServer;
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use agui_tests::http::{Request, Whole};
use serde_json::json;

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

#[tokio::test]
async fn readers_of_other_threads_wait_for_memory() {
    let server = serve(Limits::default().reader_memory(1)).await;
    for thread in ["t", "u"] {
        let mut long = asking("1", "hello");
        long["threadId"] = json!(thread);
        long["messages"][0]["content"] = json!("x".repeat(5_000_000));
        server.run(&long).await;
    }
    // Larger than all sockets together hold.
    let held = follow("t").open(server.address).await;
    let shared = connecting(None).send(server.address).await;
    assert_eq!(shared.status, 200, "it is the same copy");
    assert!(shared.text().len() > 5_000_000);
    let refused = follow("u").send(server.address).await;
    is_refused(&refused, 503, "server_busy");
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(held);
    assert_eq!(again(&server, &follow("u")).await, 200);
}

#[tokio::test]
async fn readers_of_tasks_have_limits_too() {
    let server = serve(Limits::default().readers_per_client(0)).await;
    let list = Request::new("GET", "/a2a/tasks?contextId=c").header("a2a-version", "1.0");
    is_too_many(&list.send(server.address).await);
}
