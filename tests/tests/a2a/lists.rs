//! Lists of tasks, page by page.

use serde_json::{Value, json};

use crate::talk::{House, block_on, message};

async fn list(house: &House, more: Value) -> Value {
    let mut params = json!({ "contextId": "c-1" });
    let Value::Object(more) = more else { panic!("not an object") };
    params.as_object_mut().unwrap().extend(more);
    house.ask("ListTasks", params).await
}

#[test]
fn the_tasks_of_a_context_come_in_pages() {
    block_on(async {
        let house = House::open().await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let mut message =
                message(&format!("m-{number}"), if number % 2 == 0 { "hello" } else { "send it" });
            message["contextId"] = json!("c-1");
            ids.insert(0, house.say(message).await["id"].clone());
        }
        let (mut found, mut token) = (Vec::new(), String::new());
        loop {
            let page = list(&house, json!({ "pageSize": 2, "pageToken": token })).await;
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
            list(&house, json!({ "status": "TASK_STATE_INPUT_REQUIRED", "includeArtifacts": true })).await;
        assert_eq!(waiting["tasks"].as_array().unwrap().len(), 2);
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
            assert_eq!(house.refused("ListTasks", params).await, -32602, "{wrong}");
        }
    });
}

#[test]
fn a_server_that_knows_no_clients_lists_none_of_their_contexts() {
    block_on(async {
        let house = House::open().await;
        house.say(message("m-1", "hello")).await;
        assert_eq!(house.refused("ListTasks", json!({})).await, -32004);
        assert_eq!(list(&house, json!({})).await["tasks"], json!([]));
    });
}
