//! Servers that are lost in the middle of a run.

use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogAppend, LogPosition, Memory, ThreadKey, ThreadLog};
use bytes::Bytes;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::thread_server::{Bells, Clerk, ThreadServer, asking, events, is_legal, result, types};

fn server(log: &Memory, bells: &Bells) -> Server {
    server_with(log, bells, Duration::from_secs(1))
}

fn server_with(log: &Memory, bells: &Bells, lease: Duration) -> Server {
    let options = ThreadOptions::default().lease(lease);
    Server::new().threads(log.clone()).thread_options(options).agent("/", Clerk::new(bells.clone()))
}

/// Makes a thread of the agent at `/` whose run is lost after some more records.
pub(crate) async fn make_lost<const MORE: usize>(
    log: &Memory,
    thread: &str,
    more: [Bytes; MORE],
) -> ThreadKey {
    let key = ThreadKey::new("", "/", thread);
    let claim = r#"{"control":"claimed","run":"r1","nonce":"n"}"#;
    let start = format!(r#"{{"type":"RUN_STARTED","threadId":"{thread}","runId":"r1"}}"#);
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: [claim.into(), start.into()].into_iter().chain(more).collect(),
        note: Some(r#"{"born":1,"runs":[{"id":"r1","request":"x","first":1}]}"#.into()),
        lease: Some(Duration::ZERO),
    };
    log.append(&key, append).await.unwrap();
    key
}

#[tokio::test]
async fn a_run_that_cannot_be_read_ends_and_its_size_is_known() {
    let log = Memory::new();
    // Longer than a page of the log.
    let strange = [Bytes::from(vec![b'a'; 700_000]), Bytes::from(vec![b'b'; 700_000])];
    let key = make_lost(&log, "t", strange).await;
    let server = ThreadServer::serve(server(&log, &Bells::default())).await;
    server.connect(None).await;
    let head = log.head(&key).await.unwrap();
    assert_eq!(head.lease, None, "it goes on for ever");
    let records = log.read(&key, 0, usize::MAX).await.unwrap().records;
    let end: Value = serde_json::from_slice(&records.last().unwrap().1).unwrap();
    assert_eq!(end["code"], "node_lost");
    let bytes: usize = records.iter().map(|(_, record)| record.len()).sum();
    let note: Value = serde_json::from_slice(&head.note).unwrap();
    assert_eq!(note["runs"][0]["bytes"], bytes);
}

/// Starts a run on a server that ends without a trace.
fn lose(log: &Memory, bells: &Bells) -> String {
    let doomed = Runtime::new().unwrap();
    let seen = doomed.block_on(async {
        let server = ThreadServer::serve(server(log, bells)).await;
        let mut answer = crate::thread_server::request(&asking("1", "wait")).open(server.address).await;
        answer.until("waiting").await
    });
    doomed.shutdown_background();
    seen
}

#[test]
fn its_run_ends_with_an_error_and_the_thread_goes_on() {
    let (log, bells) = (Memory::new(), Bells::default());
    let seen = lose(&log, &bells);
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(server(&log, &bells)).await;
        // The client comes back with its cursor, and waits until the lease is over.
        let last = crate::thread_server::frames(&seen).pop().unwrap().0.unwrap();
        let rest = server.connect(Some(&last)).await;
        assert_eq!(types(rest.text()), "TEXT_MESSAGE_END RUN_ERROR");
        is_legal(&(seen + rest.text()));
        assert_eq!(events(rest.text())[1]["code"], "node_lost");
        let next = server.run(&asking("2", "hello")).await;
        assert_eq!(result(&next)["messages"].as_array().unwrap().len(), 3, "what it said before is there");
    });
}

#[test]
fn a_run_that_waits_for_the_thread_begins_when_the_lost_one_has_ended() {
    let (log, bells) = (Memory::new(), Bells::default());
    lose(&log, &bells);
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(server(&log, &bells)).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let next = server.run(&asking("2", "hello")).await;
        assert_eq!(next.status, 200, "{}", next.text());
        is_legal(server.connect(None).await.text());
    });
}

#[test]
fn a_message_that_waits_does_not_keep_the_run_of_a_lost_server_alive() {
    // Longer than the time between two questions.
    let (log, bells, lease) = (Memory::new(), Bells::default(), Duration::from_secs(3));
    let doomed = Runtime::new().unwrap();
    let lives = Runtime::new().unwrap();
    let (first, waiting) = doomed.block_on(async {
        let first = ThreadServer::serve(server_with(&log, &bells, lease)).await;
        let mut answer = crate::thread_server::request(&asking("1", "wait")).open(first.address).await;
        answer.until("waiting").await;
        let other = lives.spawn(ThreadServer::serve(server_with(&log, &bells, lease))).await.unwrap();
        let queued = crate::thread_server::request(&asking("2", "hello"));
        let waiting = lives.spawn(async move { queued.send(other.address).await });
        // The message asks again and again who reads the run, which its client does.
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert!(!waiting.is_finished(), "a client reads the first run");
        ((first, answer), waiting)
    });
    drop(first);
    doomed.shutdown_background();
    let answer = lives.block_on(async { tokio::time::timeout(4 * lease, waiting).await });
    assert_eq!(
        result(&answer.expect("it waits for a lost run").unwrap())["messages"].as_array().unwrap().len(),
        3
    );
}
