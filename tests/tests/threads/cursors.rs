//! Cursors that are malformed, foreign, of the future, or trimmed.

use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{Memory, ThreadKey, ThreadLog};

use crate::thread_server::{
    Bells, ThreadServer, asking, frames, is_legal, is_refused, request, result, types,
};

#[tokio::test]
async fn a_cursor_of_no_event_of_the_thread_is_refused() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    server.run(&asking("2", "hello")).await;
    for wrong in [
        "-1",
        "0",
        "1",
        "1.",
        ".1",
        "1.-1",
        "1.0",
        "1.999",
        "2.3",
        "3.4",
        "1.3 ",
        "\u{0}",
        "1.18446744073709551616",
    ] {
        is_refused(&server.connect(Some(wrong)).await, 400, "invalid_cursor");
    }
    for wrong in ["-1", "1.999", "2.3"] {
        let again = request(&asking("1", "hello")).header("last-event-id", wrong);
        is_refused(&again.send(server.address).await, 400, "invalid_cursor");
    }
}

#[tokio::test]
async fn a_cursor_of_a_run_that_never_was_starts_nothing() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let lost = request(&asking("1", "hello")).header("last-event-id", "1.3");
    is_refused(&lost.send(server.address).await, 404, "run_not_found");
    assert_eq!(server.connect(None).await.status, 204);
    is_refused(&server.connect(Some("1.3")).await, 400, "invalid_cursor");
    let mut odd = asking("1", "hello");
    odd["lastSeenEventId"] = serde_json::json!(7);
    is_refused(&server.run(&odd).await, 400, "invalid_cursor");
}

#[tokio::test]
async fn a_thread_of_many_short_runs_is_folded_too() {
    let log = Memory::new();
    let options = ThreadOptions::default().keep_records(500);
    let server = agui_runtime::Server::new().threads(log.clone()).thread_options(options);
    let server =
        ThreadServer::serve(server.agent("/", crate::thread_server::Clerk::new(Bells::default()))).await;
    for run in 0..300 {
        server.run(&asking(&run.to_string(), "hello")).await;
    }
    let head = log.head(&ThreadKey::new("", "/", "t")).await.unwrap();
    assert!(head.first > 1 && head.at.seq - head.first < 1_000, "{head:?}");
    assert_eq!(
        result(&server.run(&asking("next", "hello")).await)["messages"].as_array().unwrap().len(),
        601
    );
}

#[tokio::test]
async fn the_past_of_a_long_thread_is_folded_and_its_cursors_are_gone() {
    let server = ThreadServer::with(ThreadOptions::default().keep_records(20), &Bells::default()).await;
    let first = frames(server.run(&asking("0", "count")).await.text());
    for run in 1..20 {
        server.run(&asking(&run.to_string(), "count")).await;
    }
    let last = frames(server.run(&asking("last", "hello")).await.text());
    let cursor = first[3].0.as_deref();
    is_refused(&server.connect(cursor).await, 410, "cursor_trimmed");
    let again = request(&asking("0", "count")).header("last-event-id", cursor.unwrap());
    is_refused(&again.send(server.address).await, 410, "cursor_trimmed");
    assert_eq!(frames(server.connect(last[2].0.as_deref()).await.text()), last[3..]);
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    let whole = server.run(&asking("next", "count")).await;
    assert_eq!(result(&whole)["count"], 21, "nothing of the conversation is lost");
    assert_eq!(result(&whole)["messages"].as_array().unwrap().len(), 21 * 2 + 1);
}

#[tokio::test]
async fn a_thread_of_few_large_runs_is_folded_by_its_bytes() {
    let log = Memory::new();
    let options = ThreadOptions::default().keep_bytes(10_000);
    let server = agui_runtime::Server::new().threads(log.clone()).thread_options(options);
    let server =
        ThreadServer::serve(server.agent("/", crate::thread_server::Clerk::new(Bells::default()))).await;
    let long = format!("hello {}", "a".repeat(4_000));
    let mut firsts = Vec::new();
    for run in 0..8 {
        let whole = server.run(&asking(&run.to_string(), &long)).await;
        firsts.push(frames(whole.text()).pop().unwrap().0.unwrap());
    }
    let head = log.head(&ThreadKey::new("", "/", "t")).await.unwrap();
    assert!(head.first > 1, "{head:?}");
    is_refused(&server.connect(Some(&firsts[0])).await, 410, "cursor_trimmed");
    let last = server.connect(Some(&firsts[6])).await;
    assert_eq!(types(last.text()).split(' ').next_back(), Some("RUN_FINISHED"), "the last run is kept");
    // One run that is larger than all that is kept is kept whole: its clients may come back.
    let huge = server.run(&asking("huge", &format!("hello {}", "a".repeat(50_000)))).await;
    let cursor = frames(huge.text())[1].0.clone().unwrap();
    assert_eq!(frames(server.connect(Some(&cursor)).await.text()), frames(huge.text())[2..]);
    assert_eq!(result(&server.run(&asking("next", "hello")).await)["messages"].as_array().unwrap().len(), 19);
}

/// The note knows the newest 64 runs, which have less than what is kept.
#[tokio::test]
async fn a_thread_of_many_small_runs_is_folded_by_its_bytes() {
    const KEPT: u64 = 100_000;
    let log = Memory::new();
    let options = ThreadOptions::default().keep_bytes(KEPT);
    let server = agui_runtime::Server::new().threads(log.clone()).thread_options(options);
    let server =
        ThreadServer::serve(server.agent("/", crate::thread_server::Clerk::new(Bells::default()))).await;
    let key = ThreadKey::new("", "/", "t");
    let (mut most, mut size) = (0, 0);
    for run in 0..250 {
        server.run(&asking(&run.to_string(), "hello")).await;
        let head = log.head(&key).await.unwrap();
        // The end of a run is sent before its thread is trimmed.
        let Ok(page) = log.read(&key, head.first - 1, usize::MAX).await else { continue };
        size = page.records.iter().map(|(_, record)| record.len() as u64).sum();
        most = most.max(size);
    }
    let head = log.head(&key).await.unwrap();
    assert!(head.first > 1, "{head:?}");
    assert!(most > KEPT && size < KEPT * 3, "{most} {size}");
}

/// Its client may be slower than the run.
#[tokio::test]
async fn a_run_that_is_longer_than_what_is_kept_is_whole_until_the_next_one_ends() {
    let server = ThreadServer::with(ThreadOptions::default().keep_records(10), &Bells::default()).await;
    let first = frames(server.run(&asking("0", "many")).await.text());
    let again = request(&asking("0", "many")).header("last-event-id", first[1].0.as_deref().unwrap());
    assert_eq!(frames(again.send(server.address).await.text()), first[2..]);
    // A run ends for its client before its thread is trimmed.
    for run in 1..5 {
        server.run(&asking(&run.to_string(), "many")).await;
    }
    is_refused(&server.connect(first[1].0.as_deref()).await, 410, "cursor_trimmed");
}
