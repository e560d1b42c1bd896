//! Messages at another server than the run's, and servers that are lost.

use std::time::Duration;

use agui_runtime::thread::{Memory, Sqlite, ThreadLog};
use agui_tests::folder::Folder;
use serde_json::json;
use tokio::runtime::Runtime;

use super::{Desk, conversation, memory, pairs, post, records_with, serve, steer, stored, working};
use crate::thread_server::{asking, is_legal, types};

#[tokio::test]
async fn a_message_at_another_server_reaches_the_run_by_the_store() {
    let (log, desk) = memory();
    let (one, other) = (serve(log.clone(), &desk).await, serve(log.clone(), &desk).await);
    let first = working(&one, "/", &desk, "look it up").await;
    let second = steer(&other, "/", "2", "green").await;
    // The owner finds the message in the store.
    tokio::time::sleep(Duration::from_millis(500)).await;
    desk.go_on.notify_one();
    is_legal(first.whole().await.text());
    let seen = conversation(&second.whole().await);
    assert_eq!(seen.last().unwrap().1, "You said: green");
    assert_eq!(desk.prompts(), [vec!["look it up"], vec!["look it up", "green"]]);
    assert_eq!(records_with(&log, "/", r#""type":"RUN_STARTED""#).await, 1);
    assert_eq!(stored(&other, "/").await, seen);
}

#[tokio::test]
async fn a_message_at_another_server_that_no_run_takes_starts_the_next() {
    let (log, desk) = memory();
    let (one, other) = (serve(log.clone(), &desk).await, serve(log.clone(), &desk).await);
    let first = working(&one, "/deaf", &desk, "wait").await;
    let second = steer(&other, "/deaf", "2", "and then?").await;
    desk.go_on.notify_one();
    first.whole().await;
    let second = second.whole().await;
    is_legal(&second);
    assert_eq!(conversation(&second).pop().unwrap().1, "I hear: and then?");
}

/// Loses the only server after it has acknowledged a message. Returns the last event id that the client received.
fn lose(log: &(impl ThreadLog + Clone), path: &'static str, text: &str) -> Option<String> {
    let doomed = Runtime::new().unwrap();
    let desk = Desk::default();
    let cursor = doomed.block_on(async {
        let server = serve(log.clone(), &desk).await;
        let first = working(&server, path, &desk, text).await;
        let second = steer(&server, path, "2", "green").await;
        let mut ids = second.seen.lines().filter_map(|line| line.strip_prefix("id: "));
        let cursor = ids.next_back().map(str::to_owned);
        // The clients do not see the end of their server.
        std::mem::forget((first, second));
        std::mem::forget(server);
        cursor
    });
    doomed.shutdown_background();
    cursor
}

/// Checks that the next server ends the run that was lost, with the conversation `end`.
fn goes_on(log: &(impl ThreadLog + Clone), path: &'static str, text: &str, end: &[(&str, &str)]) {
    lose(log, path, text);
    Runtime::new().unwrap().block_on(async {
        let desk = Desk::default();
        // Nothing holds the second attempt.
        for _ in 0..3 {
            desk.go_on.notify_one();
        }
        let server = serve(log.clone(), &desk).await;
        let mut last = Vec::new();
        while last != pairs(end) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            last = stored(&server, path).await;
        }
        assert_eq!(records_with(log, path, r#""control":"steered""#).await, 1);
        // The client sends its message again, as it got no answer.
        let again = post(&server, path, &asking("2", "green")).await;
        is_legal(again.text());
        assert_eq!(stored(&server, path).await, pairs(end));
        server.close().await;
    });
}

const RESTARTED: [(&str, &str); 5] = [
    ("u-1", "look it up"),
    ("assistant", ""),
    ("tool", ""),
    ("u-2", "green"),
    ("assistant", "You said: green"),
];

#[test]
fn a_restarted_run_takes_a_message_that_its_lost_server_acknowledged() {
    goes_on(&Memory::new(), "/", "look it up", &RESTARTED);
}

#[test]
fn a_restarted_run_takes_the_message_on_sqlite() {
    let folder = Folder::new("steering-lost");
    goes_on(&Sqlite::open(folder.0.join("threads.db")).unwrap(), "/", "look it up", &RESTARTED);
}

const LOST: [(&str, &str); 2] = [("u-1", "wait"), ("assistant", "I hear: wait")];

/// Sends the inputs of runs, one after the other, to a server that finds a lost run, and returns the conversation. With
/// `resumes`, each input has the last event id that the client received.
fn after_a_lost_run(runs: &[(&str, &str)], resumes: bool) -> Vec<(String, String)> {
    let log = Memory::new();
    let cursor = lose(&log, "/deaf", "wait").filter(|_| resumes);
    assert_eq!(cursor.is_some(), resumes);
    Runtime::new().unwrap().block_on(async {
        let server = serve(log.clone(), &Desk::default()).await;
        while stored(&server, "/deaf").await != pairs(&LOST) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        for (run, text) in runs {
            let mut input = asking(run, text);
            if let Some(cursor) = &cursor {
                input["lastSeenEventId"] = json!(cursor);
            }
            let answer = post(&server, "/deaf", &input).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            let types = types(answer.text());
            assert!(!resumes || types.starts_with("RUN_ERROR RUN_STARTED"), "{types}");
        }
        let all = stored(&server, "/deaf").await;
        server.close().await;
        all
    })
}

fn the_message_starts_the_next_run(resumes: bool) {
    let again = after_a_lost_run(&[("2", "green")], resumes);
    let mut expected = LOST.to_vec();
    expected.extend([("u-2", "green"), ("assistant", "I hear: green")]);
    assert_eq!(again, pairs(&expected));
}

#[test]
fn a_message_of_a_lost_run_starts_the_next_when_the_client_sends_it_again() {
    the_message_starts_the_next_run(false);
}

#[test]
fn a_message_of_a_lost_run_starts_the_next_when_the_client_connects_again() {
    the_message_starts_the_next_run(true);
}

#[test]
fn the_next_run_takes_a_message_of_a_lost_run() {
    let next = after_a_lost_run(&[("3", "black"), ("2", "green")], false);
    let mut expected = LOST.to_vec();
    expected.extend([("u-2", "green"), ("u-3", "black"), ("assistant", "I hear: black")]);
    assert_eq!(next, pairs(&expected), "the second request has nothing new");
}
