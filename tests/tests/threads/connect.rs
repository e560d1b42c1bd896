//! Connecting to a thread: what there is, then what comes.

use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::thread_server::{
    Bells, ThreadServer, asking, connecting, events, frames, is_legal, request, types,
};

#[tokio::test]
async fn an_empty_thread_has_no_content() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    assert_eq!(server.connect(None).await.status, 204);
}

#[tokio::test]
async fn a_page_that_reloads_gets_messages_state_and_the_end_of_the_last_run() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "count")).await;
    server.run(&asking("2", "hello")).await;
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    assert_eq!(types(loaded.text()), "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED");
    let loaded = events(loaded.text());
    let said: Vec<_> =
        loaded[1]["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(said, [&json!("count"), &json!("One more."), &json!("hello"), &json!("Good day.")]);
    assert_eq!(loaded[2]["snapshot"], json!({ "count": 1 }));
    assert_eq!(loaded[0]["runId"], "2");
}

#[tokio::test]
async fn a_page_that_reloads_in_the_middle_of_a_text_gets_its_beginning_and_its_end() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    drop(server.waiting("1").await);
    let mut loaded = connecting(None).open(server.address).await;
    let mut text = loaded.until("TEXT_MESSAGE_START").await;
    let expected = "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT TEXT_MESSAGE_START";
    assert_eq!(types(&text), expected);
    let ids: Vec<_> = frames(&text).into_iter().map(|(id, _)| id.is_some()).collect();
    assert_eq!(
        ids,
        [false, false, false, true],
        "a cursor is complete at the end of what stands for the past"
    );
    bells.go_on.notify_one();
    text += &loaded.until("RUN_FINISHED").await;
    is_legal(&text);
    let messages = &events(&text)[1]["messages"];
    assert_eq!(messages[1]["content"], "waiting");
    let delta = events(&text).into_iter().find(|event| event["type"] == "TEXT_MESSAGE_CONTENT").unwrap();
    assert_eq!((&delta["delta"], &delta["messageId"]), (&json!(" is over"), &messages[1]["id"]));
}

#[tokio::test]
async fn a_cursor_gets_what_comes_after_it_alone() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let first = frames(server.run(&asking("1", "hello")).await.text());
    let second = frames(server.run(&asking("2", "hello")).await.text());
    let loaded = server.connect(first[3].0.as_deref()).await;
    let expected: Vec<_> = first[4..].iter().chain(&second).cloned().collect();
    assert_eq!(frames(loaded.text()), expected);
    assert_eq!(server.connect(second.last().unwrap().0.as_deref()).await.status, 204);
}

#[tokio::test]
async fn two_tabs_read_one_run_live() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let mut first = server.waiting("1").await;
    let mut second = connecting(None).open(server.address).await;
    second.until("TEXT_MESSAGE_START").await;
    bells.go_on.notify_one();
    let ends = [first.until("RUN_FINISHED").await, second.until("RUN_FINISHED").await];
    assert_eq!(frames(&ends[0]), frames(&ends[1]), "with the same cursors");
}

#[tokio::test]
async fn events_follow_a_thread_through_all_its_runs() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let mut following = Request::new("GET", "/threads/t/events").open(server.address).await;
    assert_eq!(following.status, 200, "also before the thread exists");
    server.run(&asking("1", "hello")).await;
    server.run(&asking("2", "count")).await;
    let mut text = following.until("RUN_FINISHED").await;
    if !text.contains(r#""runId":"2""#) {
        text += &following.until("RUN_FINISHED").await;
    }
    is_legal(&text);
    let user = |event: &Value| event["input"]["messages"][0]["content"].clone();
    let starts: Vec<_> =
        events(&text).iter().filter(|event| event["type"] == "RUN_STARTED").map(user).collect();
    assert_eq!(starts, [json!("hello"), json!("count")], "another tab sees what the user said");
    let after = frames(&text)[2].0.clone().unwrap();
    let path = format!("/threads/t/events?after={after}");
    let mut later = Request::new("GET", &path).open(server.address).await;
    let rest = later.until(r#""runId":"2"#).await;
    assert_eq!(frames(&rest)[0], frames(&text)[3]);
}

#[tokio::test]
async fn a_client_of_0_x_reads_a_run_of_1_0() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    request(&asking("1", "count")).send(server.address).await;
    let input = json!({ "threadId": "t", "runId": "c", "messages": [], "tools": [], "context": [] });
    let loaded = Request::run("/connect", input.to_string()).send(server.address).await;
    is_legal(loaded.text());
    assert!(!loaded.text().contains("outcome"), "{}", loaded.text());
}
