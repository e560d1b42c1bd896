//! The items of streams, and the tasks that they add up to.

use serde_json::{Value, json};

use crate::talk::{TestServer, block_on, items, message, named, rpc, state, texts};

/// Adds a stream up to a task, as clients do (A2A, section "TaskArtifactUpdateEvent").
pub(crate) fn folded(items: &[Value]) -> Value {
    let mut task = items[0]["task"].clone();
    for item in &items[1..] {
        if let Some(update) = item.get("statusUpdate") {
            assert_eq!((&update["taskId"], &update["contextId"]), (&task["id"], &task["contextId"]));
            task["status"] = update["status"].clone();
            continue;
        }
        let update = &item["artifactUpdate"];
        assert_eq!((&update["taskId"], &update["contextId"]), (&task["id"], &task["contextId"]), "{item}");
        let artifact = &update["artifact"];
        let artifacts = task["artifacts"].as_array_mut().unwrap();
        let known = artifacts.iter().position(|known| known["artifactId"] == artifact["artifactId"]);
        match known {
            Some(at) if update["append"] == true => {
                let more = artifact["parts"][0]["text"].as_str().unwrap();
                let text = artifacts[at]["parts"][0]["text"].as_str().unwrap().to_owned() + more;
                artifacts[at]["parts"][0]["text"] = json!(text);
            }
            Some(at) => artifacts[at] = artifact.clone(),
            None => {
                assert!(update.get("append").is_none(), "{item}");
                artifacts.push(artifact.clone());
            }
        }
    }
    task
}

#[test]
fn a_stream_adds_up_to_the_task() {
    block_on(async {
        let server = TestServer::open().await;
        for text in ["hello", "count", "menu", "send it", "fail", "choose one", "secret"] {
            let items = server.stream(message("m-1", text)).await;
            let mut task = folded(&items);
            assert_eq!(items[0]["task"]["status"]["state"], "TASK_STATE_SUBMITTED", "{text}");
            assert_eq!(items[1]["statusUpdate"]["status"]["state"], "TASK_STATE_WORKING", "{text}");
            let got = server.ask("GetTask", json!({ "id": task["id"] })).await;
            // The stream began before the message was in the task.
            task["history"] = got["history"].clone();
            assert_eq!(task, got, "{text}");
            assert_eq!(got["history"][0]["parts"], json!([{ "text": text }]));
            let last = items.last().unwrap();
            assert!(last["statusUpdate"]["status"]["state"] != "TASK_STATE_WORKING", "{last}");
        }
    });
}

#[test]
fn text_state_activities_and_results_are_artifacts() {
    block_on(async {
        let server = TestServer::open().await;
        let task = server.say(message("m-1", "hello")).await;
        assert_eq!((state(&task), texts(&task)), ("TASK_STATE_COMPLETED", vec!["Good day."]));
        assert_eq!(named(&task, "result")["parts"][0]["data"]["count"], 0);
        assert_eq!(named(&task, "state")["parts"], json!([{ "data": { "count": 0 } }]));
        let task = server.say(message("m-1", "menu")).await;
        assert_eq!(named(&task, "MENU")["parts"], json!([{ "data": { "dishes": ["soup", "rice"] } }]));
        let task = server.say(message("m-1", "fail")).await;
        assert_eq!(state(&task), "TASK_STATE_FAILED");
        assert_eq!(task["status"]["message"]["metadata"], json!({ "code": "ink" }));
    });
}

#[test]
fn a_context_is_a_conversation_with_its_state() {
    block_on(async {
        let server = TestServer::open().await;
        let mut context = Value::Null;
        for number in 1..=3 {
            let mut next = message(&format!("m-{number}"), "count");
            next["contextId"] = context.clone();
            let task = server.say(next).await;
            let result = &named(&task, "result")["parts"][0]["data"];
            // Each run adds the message of the user and one of the agent.
            assert_eq!((&result["count"], &result["messages"]), (&json!(number), &json!(2 * number - 1)));
            assert_eq!(named(&task, "state")["parts"][0]["data"]["count"], number);
            assert_eq!(task["history"].as_array().unwrap().len(), 1, "{task}");
            context = task["contextId"].clone();
        }
        // Another context knows nothing of it.
        let task = server.say(message("m-1", "count")).await;
        assert_ne!(task["contextId"], context);
        assert_eq!(named(&task, "result")["parts"][0]["data"]["count"], 1);
    });
}

#[test]
fn a_client_that_subscribes_sees_the_task_and_the_rest() {
    block_on(async {
        let server = TestServer::open().await;
        let (id, mut first) = server.waiting("m-1").await;
        let subscribed = rpc("SubscribeToTask", json!({ "id": id }));
        let mut second = subscribed.open(server.address).await;
        let begun = second.until("\n\n").await;
        let task: Value = serde_json::from_str(begun.trim().strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(
            (texts(&task["result"]["task"]), state(&task["result"]["task"])),
            (vec!["waiting"], "TASK_STATE_WORKING")
        );
        server.bells.go_on.notify_one();
        let (first, second) = (first.until("COMPLETED").await, second.until("COMPLETED").await);
        assert!(first.contains(" is over") && second.contains(" is over"), "{first}\n{second}");
        assert_eq!(server.refused("SubscribeToTask", json!({ "id": id })).await, -32004);
    });
}

#[test]
fn a_task_goes_on_without_its_client() {
    block_on(async {
        let server = TestServer::open().await;
        let (id, answer) = server.waiting("m-1").await;
        drop(answer);
        server.bells.go_on.notify_one();
        loop {
            let task = server.ask("GetTask", json!({ "id": id })).await;
            if state(&task) == "TASK_STATE_COMPLETED" {
                assert_eq!(texts(&task), ["waiting is over"]);
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn an_answer_at_once_does_not_wait() {
    block_on(async {
        let server = TestServer::open().await;
        let params =
            json!({ "message": message("m-1", "wait"), "configuration": { "returnImmediately": true } });
        let task = server.ask("SendMessage", params).await["task"].clone();
        assert!(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].contains(&state(&task)), "{task}");
        server.bells.go_on.notify_one();
        let whole = rpc("SubscribeToTask", json!({ "id": task["id"] })).send(server.address).await;
        if whole.header("content-type") == Some("text/event-stream") {
            assert_eq!(state(&folded(&items(&whole))), "TASK_STATE_COMPLETED");
        }
    });
}

#[test]
fn a_message_reaches_the_agent_whole() {
    block_on(async {
        let server = TestServer::open().await;
        let sent = json!({
            "messageId": "m-1",
            "role": "ROLE_USER",
            "parts": [
                { "text": "look" },
                { "data": { "seats": 2 } },
                { "raw": "aGk", "mediaType": "image/png", "filename": "hi.png" },
                { "url": "https://files.example/7", "mediaType": "image/png", "metadata": { "alt": "a cat" } },
            ],
            "metadata": { "trace": 7 },
            "unknown": { "of": "a newer version" },
        });
        let params = json!({ "message": sent, "metadata": { "tenant": "x" }, "configuration": null });
        let task = server.ask("SendMessage", params).await["task"].clone();
        let result = &named(&task, "result")["parts"][0]["data"];
        assert_eq!(result["forwarded"], json!({ "a2a": { "metadata": { "tenant": "x" } } }));
        let content = &result["last"]["content"];
        assert_eq!(content[1]["text"], r#"{"seats":2}"#);
        assert_eq!(content[2]["source"], json!({ "type": "data", "value": "aGk=", "mimeType": "image/png" }));
        assert_eq!(content[3]["source"]["value"], "https://files.example/7");
        assert_eq!(result["last"]["metadata"], json!({ "a2a": { "metadata": { "trace": 7 } } }));
        let mut expected = sent["parts"].clone();
        expected[2]["raw"] = json!("aGk=");
        assert_eq!(task["history"][0]["parts"], expected);
        assert_eq!(task["history"][0]["metadata"], sent["metadata"]);
    });
}
