//! Lists of tasks, page by page.

use serde_json::{Value, json};

use crate::talk::{TestServer, block_on, message};

async fn list(server: &TestServer, more: Value) -> Value {
    let mut params = json!({ "contextId": "c-1" });
    let Value::Object(more) = more else { panic!("not an object") };
    params.as_object_mut().unwrap().extend(more);
    server.ask("ListTasks", params).await
}

#[test]
fn the_tasks_of_a_context_come_in_pages() {
    block_on(async {
        let server = TestServer::open().await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let mut message =
                message(&format!("m-{number}"), if number % 2 == 0 { "send it" } else { "hello" });
            message["contextId"] = json!("c-1");
            ids.insert(0, server.say(message).await["id"].clone());
        }
        let (mut found, mut token) = (Vec::new(), String::new());
        loop {
            let page = list(&server, json!({ "pageSize": 2, "pageToken": token })).await;
            assert_eq!(page["totalSize"], 5);
            for task in page["tasks"].as_array().unwrap() {
                assert!(task.get("artifacts").is_none(), "{task}");
                found.push(task["id"].clone());
            }
            token = page["nextPageToken"].as_str().unwrap().to_owned();
            if token.is_empty() {
                break;
            }
        }
        assert_eq!(found, ids, "the last changed comes first");
        let waiting =
            list(&server, json!({ "status": "TASK_STATE_INPUT_REQUIRED", "includeArtifacts": true })).await;
        assert_eq!(waiting["tasks"].as_array().unwrap().len(), 1);
        // The questions of the others were closed when the next task finished.
        let closed = list(&server, json!({ "status": "TASK_STATE_CANCELED" })).await;
        assert_eq!(closed["tasks"].as_array().unwrap().len(), 2);
        for (since, count) in [("2000-01-01T00:00:00Z", 5), ("2999-01-01T00:00:00Z", 0)] {
            let changed = list(&server, json!({ "statusTimestampAfter": since })).await;
            assert_eq!(changed["tasks"].as_array().unwrap().len(), count, "{since}");
        }
        assert!(waiting["tasks"][0]["artifacts"].is_array());
        for wrong in [
            json!({ "pageSize": 0 }),
            json!({ "pageSize": 101 }),
            json!({ "pageToken": "x" }),
            json!({ "statusTimestampAfter": "yesterday" }),
            json!({ "historyLength": -1 }),
        ] {
            let mut params = wrong.clone();
            params["contextId"] = json!("c-1");
            assert_eq!(server.refused("ListTasks", params).await, -32602, "{wrong}");
        }
    });
}

#[test]
fn a_page_ends_when_many_bytes_were_read() {
    block_on(async {
        let server = TestServer::open().await;
        for number in 0..3 {
            let mut message = message(&format!("m-{number}"), "roar 12000000");
            message["contextId"] = json!("c-1");
            server.say(message).await;
        }
        let failed = json!({ "status": "TASK_STATE_FAILED" });
        let page = list(&server, failed).await;
        assert_eq!(page["tasks"], json!([]));
        let token = page["nextPageToken"].as_str().unwrap();
        assert!(!token.is_empty(), "the first page reads no more than it may");
        let rest = list(&server, json!({ "status": "TASK_STATE_FAILED", "pageToken": token })).await;
        assert_eq!(rest["nextPageToken"], "");
    });
}

#[test]
fn a_server_that_knows_no_clients_lists_none_of_their_contexts() {
    block_on(async {
        let server = TestServer::open().await;
        server.say(message("m-1", "hello")).await;
        assert_eq!(server.refused("ListTasks", json!({})).await, -32004);
        assert_eq!(list(&server, json!({})).await["tasks"], json!([]));
    });
}
