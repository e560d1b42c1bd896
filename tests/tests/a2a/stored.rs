//! Tasks in a store: after a restart, on another server, in a thread that was trimmed.

use agui_runtime::Server;
use agui_runtime::a2a::A2aServer;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{Memory, ThreadLog};
use agui_runtime::webhook::WebhookKind;
use agui_tests::webhooks::{Received, Receiver, webhooks_to};
use serde_json::json;

use crate::desk::{Bells, Desk};
use crate::talk::{TestServer, block_on, message, named, reply, state, texts};

/// Serves the desk with a store.
pub(crate) async fn on(log: &(impl ThreadLog + Clone), options: ThreadOptions) -> TestServer {
    let bells = Bells::default();
    let server = Server::new().threads(log.clone()).thread_options(options);
    TestServer::serve(server.a2a("/a2a", A2aServer::new(Desk::new(bells.clone()))), bells).await
}

#[test]
fn another_server_of_the_store_has_the_task() {
    block_on(async {
        let log = Memory::new();
        let (first, second) =
            (on(&log, ThreadOptions::default()).await, on(&log, ThreadOptions::default()).await);
        let asked = first.say(message("m-1", "send it")).await;
        assert_eq!(second.ask("GetTask", json!({ "id": asked["id"] })).await, asked);
        let done = second.say(reply(&asked, "m-2", json!({ "data": { "approved": true } }))).await;
        assert_eq!(texts(&done), ["Sent."]);
        assert_eq!(first.ask("GetTask", json!({ "id": asked["id"] })).await, done);
        // A task that runs there is cancelled from here.
        let (id, mut answer) = first.waiting("m-3").await;
        assert_eq!(state(&second.ask("CancelTask", json!({ "id": id })).await), "TASK_STATE_CANCELED");
        answer.until("CANCELED").await;
    });
}

#[test]
fn the_end_of_a_task_is_sent_to_the_webhook_of_the_server() {
    block_on(async {
        let (receiver, bells) = (Receiver::default(), Bells::default());
        let url = format!("http://{}/ended", receiver.open(&[]).await);
        let server = Server::new().threads(Memory::new()).webhooks(webhooks_to(url));
        let server =
            TestServer::serve(server.a2a("/a2a", A2aServer::new(Desk::new(bells.clone()))), bells).await;
        let asked = server.say(message("m-1", "send it")).await;
        server.say(reply(&asked, "m-2", json!({ "data": { "approved": true } }))).await;
        let mut kinds = Vec::new();
        for Received { message, .. } in receiver.messages(2).await {
            assert_eq!(
                (message.data.agent.as_str(), &json!(message.data.thread_id)),
                ("/a2a", &asked["contextId"])
            );
            kinds.push(message.kind);
        }
        assert_eq!(kinds, [WebhookKind::Interrupted, WebhookKind::Finished]);
    });
}

#[test]
fn an_answer_that_comes_again_to_a_trimmed_thread_is_not_mistaken_for_another() {
    block_on(async {
        for keep in 1..10 {
            let server = on(&Memory::new(), ThreadOptions::default().keep_records(keep)).await;
            let mut said = [message("m-1", "send it"), message("m-2", "fail")];
            said.iter_mut().for_each(|message| message["contextId"] = json!("c-1"));
            let [asking, failing] = said;
            let asked = server.say(asking).await;
            assert_eq!(state(&server.say(failing).await), "TASK_STATE_FAILED");
            let answer = reply(&asked, "m-3", json!({ "data": { "approved": true } }));
            for _ in 0..2 {
                let done = server.say(answer.clone()).await;
                assert_eq!(state(&done), "TASK_STATE_COMPLETED", "with {keep} records");
            }
        }
    });
}

#[test]
fn the_last_task_of_a_trimmed_thread_is_there() {
    block_on(async {
        let server = on(&Memory::new(), ThreadOptions::default().keep_records(4)).await;
        let mut tasks = Vec::new();
        for number in 0..4 {
            let mut message = message(&format!("m-{number}"), "hello");
            message["contextId"] = json!("c-1");
            tasks.push(server.say(message).await);
        }
        let last = tasks.last().unwrap();
        let got = server.ask("GetTask", json!({ "id": last["id"] })).await;
        assert_eq!((state(&got), texts(&got)), ("TASK_STATE_COMPLETED", vec!["Good day."]));
        assert_eq!(named(&got, "result")["parts"][0]["data"]["messages"], 7);
        assert_eq!(got["history"][0]["messageId"], "m-3");
        assert_eq!(server.refused("GetTask", json!({ "id": tasks[0]["id"] })).await, -32001);
    });
}
