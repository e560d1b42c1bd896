//! Runs as bytes.

use std::time::Duration;

use agui_runtime::{Peer, Server};
use agui_tests::http::{Piece, Request};
use serde_json::{Value, json};

use crate::kitchen::{Cook, Report, Served, asking, asking_as_before};

fn run(input: &Value) -> Request {
    Request::run("/", input.to_string())
}

#[tokio::test]
async fn a_run_has_exactly_these_bytes() {
    let served = Served::cook().await;
    let answer = run(&asking("hello")).send(served.address).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-cache, no-transform"));
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert!(!answer.cut);

    let id = answer.events()[1]["messageId"].as_str().unwrap().to_owned();
    let expected = [
        r#"data: {"type":"RUN_STARTED","threadId":"t-1","runId":"r-1","protocolVersion":"1.0"}"#,
        r#"data: {"type":"TEXT_MESSAGE_START","messageId":"ID","role":"assistant"}"#,
        r#"data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"ID","delta":"Hello "}"#,
        "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"ID\",\"delta\":\"naïve 🦀\u{2028}\\n\"}",
        r#"data: {"type":"TEXT_MESSAGE_END","messageId":"ID"}"#,
        r#"data: {"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1","outcome":{"type":"success"}}"#,
        "",
    ]
    .join("\n\n")
    .replace("ID", &id);
    assert_eq!(answer.text(), expected);
}

#[tokio::test]
async fn a_long_run_arrives_whole_and_in_order() {
    let served = Served::cook().await;
    let events = run(&asking("many")).send(served.address).await.events();
    let said: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    let expected: String = (0..2000).map(|number| format!("{number} ")).collect();
    assert_eq!(said, expected);
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn ready_events_are_sent_before_the_run_continues() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let mut answer = run(&asking("wait")).open(served.address).await;
    let so_far = answer.until("waiting").await;
    assert!(so_far.starts_with("data: {\"type\":\"RUN_STARTED\""), "{so_far}");
    bell.notify_one();
    answer.until("RUN_FINISHED").await;
    assert_eq!(answer.next().await, Piece::End);

    let never = Served::start(Server::new().agent("/", Cook::new().0).keep_alive(Duration::MAX)).await;
    assert!(!run(&asking("who")).send(never.address).await.events().is_empty());
}

#[tokio::test]
async fn a_client_that_leaves_ends_its_run() {
    let (cook, mut reports) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let mut answer = run(&asking("wait")).open(served.address).await;
    answer.until("waiting").await;
    assert!(reports.try_recv().is_err());
    drop(answer);
    assert_eq!(reports.recv().await, Some(Report::Dropped));
}

#[tokio::test]
async fn a_quiet_stream_is_kept_alive_by_comments() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let served = Served::start(Server::new().agent("/", cook).keep_alive(Duration::from_millis(20))).await;
    let mut answer = run(&asking("wait")).open(served.address).await;
    answer.until("waiting").await;
    for _ in 0..3 {
        let comment = answer.until("\n\n").await;
        assert!(comment.ends_with(": keep-alive\n\n"), "{comment}");
    }
    bell.notify_one();
    answer.until("RUN_FINISHED").await;
    assert_eq!(answer.next().await, Piece::End);
}

#[tokio::test]
async fn a_run_that_fails_says_so_in_its_stream() {
    let served = Served::cook().await;
    for (text, expected) in [
        ("fail", json!({ "type": "RUN_ERROR", "message": "no flour", "code": "OUT_OF_STOCK" })),
        ("panic", json!({ "type": "RUN_ERROR", "message": "the agent panicked (run r-1)", "code": "panic" })),
    ] {
        let events = run(&asking(text)).send(served.address).await.events();
        assert_eq!(events[0]["type"], "RUN_STARTED", "{text}");
        assert_eq!(events[1..], [expected], "{text}");
        // The server still works.
        let after = run(&asking("who")).send(served.address).await.events();
        assert_eq!(after.last().unwrap()["result"], "cook", "{text}");
    }
}

#[tokio::test]
async fn nothing_of_1_0_goes_to_a_client_that_does_not_declare_it() {
    let served = Served::cook().await;
    let assumed = Served::start(Server::new().agent("/", Cook::new().0).assume_peer(Peer::CURRENT)).await;
    for (served, input, last, outcome) in [
        (&served, asking("cancel"), "RUN_FINISHED", Some("cancelled")),
        (&served, asking_as_before("cancel"), "RUN_FINISHED", None),
        (&served, asking_as_before("hello"), "RUN_FINISHED", None),
        (&assumed, asking("cancel"), "RUN_FINISHED", Some("cancelled")),
        (&assumed, asking_as_before("cancel"), "RUN_FINISHED", Some("cancelled")),
    ] {
        let events = run(&input).send(served.address).await.events();
        let finished = events.last().unwrap();
        assert_eq!(finished["type"], last, "{input}");
        assert_eq!(finished["outcome"]["type"].as_str(), outcome, "{input}");
        assert_eq!(finished.get("outcome").is_some(), outcome.is_some(), "{input}");
    }
}

#[tokio::test]
async fn every_run_has_message_ids_of_its_own() {
    let served = Served::cook().await;
    let first = run(&asking("hello")).send(served.address).await.events();
    let second = run(&asking("hello")).send(served.address).await.events();
    assert_ne!(first[1]["messageId"], second[1]["messageId"]);
}

async fn deltas(server: Server, input: Value) -> Vec<String> {
    let served = Served::start(server).await;
    let events = run(&input).send(served.address).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    events.iter().filter_map(|event| event["delta"].as_str()).map(str::to_owned).collect()
}

#[tokio::test]
async fn only_legacy_clients_get_one_message_after_the_other_and_only_if_asked_for() {
    let server = || Server::new().agent("/", Cook::new().0);
    let (before, now) = (asking_as_before("two at once"), asking("two at once"));
    assert_eq!(deltas(server().serial(true), before.clone()).await, ["first", "second"]);
    assert_eq!(deltas(server().serial(true), now).await, ["second", "first"]);
    assert_eq!(deltas(server(), before).await, ["second", "first"]);
}
