//! The bytes of copies that readers make a server hold: which readers count, and how much.

use agui_runtime::a2a::A2aServer;
use agui_runtime::thread::Memory;
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Server};
use agui_tests::http::{Request, Whole};
use serde_json::{Value, json};

use crate::thread_server::{Bells, Clerk, ThreadServer, asking, connecting, is_refused, request};

async fn serve(limits: Limits) -> ThreadServer {
    let server = Server::new().threads(Memory::new()).limits(limits);
    ThreadServer::serve(server.agent("/", Clerk::new(Bells::default()))).await
}

fn follow(thread: &str) -> Request {
    Request::new("GET", &format!("/threads/{thread}/events"))
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
async fn readers_of_the_same_thread_share_one_copy() {
    let server = with_long_threads().await;
    let held = follow("t").open(server.address).await;
    let shared = connecting(None).send(server.address).await;
    assert_eq!(shared.status, 200, "it is the same copy");
    assert!(shared.text().len() > 5_000_000);
    is_busy(&follow("u").send(server.address).await);
    let binary = follow("u").header("accept", proto::CONTENT_TYPE);
    is_busy(&binary.send(server.address).await);
    drop(held);
}

#[tokio::test]
async fn a_message_that_a_client_of_a2a_repeats_reads_its_task() {
    let clerk = || Clerk::new(Bells::default());
    let server = Server::new().threads(Memory::new()).limits(Limits::default().reader_memory(1));
    let server = ThreadServer::serve(server.agent("/", clerk()).a2a("/a2a", A2aServer::new(clerk()))).await;
    assert_eq!(server.run(&long("t", "hello")).await.status, 200);
    let said = json!({ "message": {
        "messageId": "m", "contextId": "c", "role": "ROLE_USER",
        "parts": [{ "text": format!("hello {}", "x".repeat(5_000_000)) }],
    } });
    let send = Request::run("/a2a/message:send", said.to_string()).header("a2a-version", "1.0");
    assert_eq!(send.send(server.address).await.status, 200);
    let _held = follow("t").open(server.address).await;
    is_busy(&send.send(server.address).await);
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
async fn the_state_of_a_legacy_client_counts() {
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
