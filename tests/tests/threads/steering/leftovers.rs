//! Messages that no run has taken.

use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use serde_json::json;

use super::{conversation, memory, pairs, post, records_with, serve, steer, stored, working};
use crate::thread_server::{ThreadServer, asking, events, is_legal, types};

async fn stop(server: &ThreadServer, path: &str) {
    let path = format!("{}/stop/t", path.trim_end_matches('/'));
    let stopped =
        Request::new("POST", &path).header("content-type", "application/json").send(server.address).await;
    assert_eq!(stopped.json()["stopped"], true, "{}", stopped.text());
}

/// Runs an agent that takes no messages, and returns what the second client read.
async fn after_a_deaf_run(log: &Memory, text: &str) -> (ThreadServer, String) {
    let desk = super::Desk::default();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/deaf", &desk, text).await;
    let second = steer(&server, "/deaf", "2", "and then?").await;
    desk.go_on.notify_one();
    is_legal(first.whole().await.text());
    let second = second.whole().await;
    is_legal(&second);
    (server, second)
}

#[tokio::test]
async fn a_message_that_the_run_does_not_take_starts_the_next() {
    let (log, _) = memory();
    let (server, second) = after_a_deaf_run(&log, "wait").await;
    let ends: Vec<_> = events(&second).into_iter().filter(|event| event["type"] == "RUN_FINISHED").collect();
    assert_eq!(ends.iter().map(|end| &end["runId"]).collect::<Vec<_>>(), ["1", "2"], "{second}");
    let expected = [
        ("u-1", "wait"),
        ("assistant", "I hear: wait"),
        ("u-2", "and then?"),
        ("assistant", "I hear: and then?"),
    ];
    assert_eq!(conversation(&second), pairs(&expected));
    assert_eq!(stored(&server, "/deaf").await, pairs(&expected));
    // The same request again reads the run that it started.
    let again = post(&server, "/deaf", &asking("2", "and then?")).await;
    assert_eq!(events(again.text()).pop().unwrap()["runId"], "2");
    assert_eq!(records_with(&log, "/deaf", r#""type":"RUN_STARTED""#).await, 2);
}

#[tokio::test]
async fn a_run_that_fails_leaves_the_message_to_the_next() {
    let (log, _) = memory();
    let (_, second) = after_a_deaf_run(&log, "wait and fail").await;
    assert!(types(&second).contains("RUN_ERROR RUN_STARTED"), "{second}");
    assert_eq!(conversation(&second).pop().unwrap().1, "I hear: and then?");
}

#[tokio::test]
async fn all_messages_that_wait_start_one_run() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/deaf", &desk, "wait").await;
    let mut others = Vec::new();
    for run in ["2", "3", "4"] {
        others.push(steer(&server, "/deaf", run, run).await);
    }
    // A client that leaves takes nothing back.
    drop(others.remove(1));
    desk.go_on.notify_one();
    first.whole().await;
    let mut seen = Vec::new();
    for other in others {
        let whole = other.whole().await;
        is_legal(&whole);
        seen.push(conversation(&whole));
    }
    let expected = [
        ("u-1", "wait"),
        ("assistant", "I hear: wait"),
        ("u-2", "2"),
        ("u-3", "3"),
        ("u-4", "4"),
        ("assistant", "I hear: 4"),
    ];
    assert_eq!(seen, [pairs(&expected), pairs(&expected)]);
    assert_eq!(records_with(&log, "/deaf", r#""type":"RUN_STARTED""#).await, 2);
}

#[tokio::test]
async fn a_stop_starts_nothing_and_keeps_the_messages() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/deaf", &desk, "wait").await;
    let second = steer(&server, "/deaf", "2", "and then?").await;
    stop(&server, "/deaf").await;
    for whole in [first.whole().await.text().to_owned(), second.whole().await] {
        is_legal(&whole);
        let end = "TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED";
        assert!(types(&whole).ends_with(end), "{whole}");
        assert!(whole.contains(r#""outcome":{"type":"cancelled"}"#), "{whole}");
    }
    let expected = [("u-1", "wait"), ("assistant", "I hear: wait"), ("u-2", "and then?")];
    assert_eq!(stored(&server, "/deaf").await, pairs(&expected));
    assert_eq!(records_with(&log, "/deaf", r#""type":"RUN_STARTED""#).await, 1);
    let next = post(&server, "/deaf", &asking("3", "hello")).await;
    assert_eq!(conversation(next.text()).pop().unwrap().1, "I hear: hello");
}

#[tokio::test]
async fn a_message_waits_for_the_pages_result() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let mut input = asking("1", "both");
    input["tools"] = json!([{ "name": "show", "description": "Shows a picture.", "parameters": {
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"]
    } }]);
    let first = Request::run("/", input.to_string()).open(server.address).await;
    desk.waits.notified().await;
    let second = steer(&server, "/", "2", "only green tea").await;
    desk.go_on.notify_one();
    let first = first.whole().await;
    is_legal(first.text());
    is_legal(&second.whole().await);
    assert_eq!(desk.prompts(), [vec!["both"]], "the page has not answered");
    let call = events(first.text())
        .into_iter()
        .find(|event| event["type"] == "TOOL_CALL_START" && event["toolCallName"] == "show")
        .unwrap();
    let mut answer = asking("3", "");
    answer["messages"] =
        json!([{ "id": "r", "role": "tool", "toolCallId": call["toolCallId"], "content": "shown" }]);
    is_legal(post(&server, "/", &answer).await.text());
    assert_eq!(desk.prompts(), [vec!["both"], vec!["both", "only green tea"]]);
    assert_eq!(records_with(&log, "/", r#""messageId":"u-2","role":"user""#).await, 1);
}

#[tokio::test]
async fn a_message_waits_for_the_persons_approval() {
    let (log, desk) = memory();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/", &desk, "send").await;
    let second = steer(&server, "/", "2", "only green tea").await;
    desk.go_on.notify_one();
    let first = first.whole().await;
    is_legal(&second.whole().await);
    let asked = events(first.text()).pop().unwrap()["outcome"]["interrupts"][0]["id"].clone();
    assert!(asked.is_string(), "{}", first.text());
    let mut answer = asking("3", "");
    answer["messages"] = json!([]);
    answer["resume"] =
        json!([{ "interruptId": asked, "status": "resolved", "payload": { "approved": true } }]);
    let resumed = post(&server, "/", &answer).await;
    is_legal(resumed.text());
    assert_eq!(desk.prompts(), [vec!["send"], vec!["send", "only green tea"]], "{}", resumed.text());
}
