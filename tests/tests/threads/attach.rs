//! Attaching to a run again: by the cursor of any of its events, and by the request that started it.

use agui_runtime::thread::Memory;
use serde_json::json;

use crate::thread_server::{Bells, ThreadServer, asking, frames, is_legal, is_refused, request};

#[tokio::test]
async fn a_run_continues_after_the_cursor_of_any_of_its_events() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let asked = request(&asking("1", "many"));
    let whole = asked.send(server.address).await;
    is_legal(whole.text());
    let all = frames(whole.text());
    for (at, (id, _)) in all.iter().enumerate() {
        let again = asked.clone().header("last-event-id", id.as_deref().unwrap()).send(server.address).await;
        assert_eq!(frames(again.text()), all[at + 1..], "after event {at}");
    }
}

#[tokio::test]
async fn a_client_that_was_cut_off_gets_the_rest_once_it_comes() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let mut first = request(&asking("1", "wait")).open(server.address).await;
    let seen = first.until("waiting").await;
    drop(first);
    let last = frames(&seen).pop().unwrap().0.unwrap();
    let again = request(&asking("1", "wait")).header("last-event-id", &last);
    let mut again = again.open(server.address).await;
    bells.go_on.notify_one();
    let text = seen + &again.until("RUN_FINISHED").await;
    is_legal(&text);
    assert!(text.contains(" is over"));
}

#[tokio::test]
async fn the_same_request_again_gets_the_same_run() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let asked = request(&asking("1", "count"));
    let [first, again] = [asked.send(server.address).await, asked.send(server.address).await];
    assert_eq!(first.text(), again.text());
    let twice = request(&asking("2", "hello")).send(server.address).await;
    assert_eq!(crate::thread_server::result(&twice)["count"], 1, "the agent ran once");
}

#[tokio::test]
async fn requests_at_once_with_one_run_id_are_one_run() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let asked = request(&asking("1", "count"));
    let all = futures::future::join_all((0..8).map(|_| asked.send(server.address))).await;
    for whole in &all {
        assert_eq!((whole.status, whole.text()), (200, all[0].text()));
    }
}

#[tokio::test]
async fn a_run_id_with_other_content_is_refused() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    is_refused(&server.run(&asking("1", "count")).await, 409, "run_exists");
    let mut other = asking("1", "hello");
    other["state"] = json!({ "count": 7 });
    is_refused(&server.run(&other).await, 409, "run_exists");
}
