//! Tasks that are cancelled, too late or in time, and messages that come twice.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::talk::{TestServer, block_on, message, reply, state};

#[test]
fn a_running_task_is_cancelled() {
    block_on(async {
        let server = TestServer::open().await;
        let (id, mut answer) = server.waiting("m-1").await;
        let task = server.ask("CancelTask", json!({ "id": id })).await;
        assert_eq!(state(&task), "TASK_STATE_CANCELED");
        assert!(answer.until("CANCELED").await.contains("statusUpdate"));
        assert_eq!(server.bells.dropped.load(Ordering::SeqCst), 1, "the agent was dropped");
        assert_eq!(server.refused("CancelTask", json!({ "id": id })).await, -32002);
    });
}

#[test]
fn a_task_that_waits_for_its_client_is_cancelled() {
    block_on(async {
        let server = TestServer::open().await;
        for text in ["send it", "choose one", "secret"] {
            let asked = server.say(message("m-1", text)).await;
            let began = server.bells.began.load(Ordering::SeqCst);
            let task = server.ask("CancelTask", json!({ "id": asked["id"] })).await;
            assert_eq!(state(&task), "TASK_STATE_CANCELED", "{text}");
            let late = reply(&asked, "m-2", json!({ "data": { "approved": true } }));
            assert_eq!(server.refused("SendMessage", json!({ "message": late })).await, -32004);
            assert_eq!(server.bells.began.load(Ordering::SeqCst), began, "the agent does not run");
        }
    });
}

#[test]
fn a_task_that_has_ended_cannot_change() {
    block_on(async {
        let server = TestServer::open().await;
        for text in ["hello", "fail"] {
            let task = server.say(message("m-1", text)).await;
            let late = reply(&task, "m-2", json!({ "text": "hello" }));
            assert_eq!(server.refused("SendMessage", json!({ "message": late })).await, -32004);
            assert_eq!(server.refused("CancelTask", json!({ "id": task["id"] })).await, -32002);
            assert_eq!(server.refused("SubscribeToTask", json!({ "id": task["id"] })).await, -32004);
        }
    });
}

#[test]
fn a_repeated_message_begins_nothing() {
    block_on(async {
        let server = TestServer::open().await;
        let mut first = message("m-1", "count");
        first["contextId"] = json!("c-1");
        let task = server.say(first.clone()).await;
        assert_eq!(server.say(first.clone()).await, task);
        assert_eq!(server.bells.began.load(Ordering::SeqCst), 1);
        // Another message under the same id is a mistake.
        first["parts"] = json!([{ "text": "hello" }]);
        assert_eq!(server.refused("SendMessage", json!({ "message": first })).await, -32602);

        let asked = server.say(message("m-1", "send it")).await;
        let answer = reply(&asked, "m-2", json!({ "data": { "approved": true } }));
        let done = server.say(answer.clone()).await;
        let began = server.bells.began.load(Ordering::SeqCst);
        assert_eq!(server.say(answer).await, done);
        assert_eq!(server.bells.began.load(Ordering::SeqCst), began);
    });
}

#[test]
fn a_context_and_a_task_have_one_run_at_a_time() {
    block_on(async {
        let server = TestServer::open().await;
        let (id, _answer) = server.waiting("m-1").await;
        let early =
            json!({ "messageId": "m-2", "role": "ROLE_USER", "taskId": id, "parts": [{ "text": "hello" }] });
        assert_eq!(server.refused("SendMessage", json!({ "message": early })).await, -32004);
        let task = server.ask("GetTask", json!({ "id": id })).await;
        let mut beside = message("m-2", "hello");
        beside["contextId"] = task["contextId"].clone();
        assert_eq!(server.refused("SendMessage", json!({ "message": beside })).await, -32004);
    });
}
