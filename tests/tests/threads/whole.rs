//! A whole run, and what its client can tell of the store.

use agui_runtime::thread::{Memory, ThreadCursor};
use serde_json::{Value, json};

use agui_tests::http::Request;

use crate::thread_server::{Bells, ThreadServer, asking, frames, is_legal, request, result, types};

#[tokio::test]
async fn a_run_reads_as_without_a_store_and_each_event_has_its_place() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let whole = server.run(&asking("r 1", "hello")).await;
    is_legal(whole.text());
    let start =
        "RUN_STARTED STATE_SNAPSHOT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED";
    assert_eq!(types(whole.text()), start);
    // The claim of the thread is the first record, and no client sees it.
    for ((id, _), seq) in frames(whole.text()).into_iter().zip(2..) {
        assert_eq!(id.unwrap().parse(), Ok(ThreadCursor::new("r 1", seq)));
    }
    assert_eq!(result(&whole), json!({ "messages": ["u-r 1"], "count": 0 }));
}

#[tokio::test]
async fn the_start_of_a_run_has_the_messages_that_are_new() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let echo = |whole: agui_tests::http::Whole| frames(whole.text()).remove(0).1["input"].clone();
    let input = asking("1", "hello");
    assert_eq!(echo(server.run(&input).await)["messages"], input["messages"]);
    assert_eq!(echo(server.run(&asking("2", "count")).await)["messages"], asking("2", "count")["messages"]);
    let mut old = asking("3", "hello");
    old.as_object_mut().unwrap().remove("protocolVersion");
    assert_eq!(echo(server.run(&old).await), Value::Null, "clients of 0.x are sent no echo");
}

#[tokio::test]
async fn capabilities_say_that_streams_can_be_resumed() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let declared = Request::new("GET", "/capabilities").send(server.address).await;
    assert_eq!(declared.json()["transport"]["resumable"], true);
}

#[tokio::test]
async fn an_event_that_is_too_large_fails_its_run_and_spoils_no_thread() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let whole = server.run(&asking("1", "roar")).await;
    is_legal(whole.text());
    assert!(whole.text().contains(r#""code":"event_too_large""#), "{}", whole.text());
    assert_eq!(server.run(&asking("2", "hello")).await.status, 200);
}

#[tokio::test]
async fn a_binary_client_reads_its_run_without_ids() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let asked = request(&asking("1", "hello")).header("accept", "application/vnd.ag-ui.event+proto");
    let whole = asked.send(server.address).await;
    assert_eq!(whole.status, 200);
    let mut decoder = agui_runtime::wire::proto::Decoder::new();
    decoder.push(&whole.body);
    let mut count = 0;
    while decoder.next().unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 6);
}
