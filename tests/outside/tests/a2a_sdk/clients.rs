//! The official clients, in TypeScript and in Python, with our server.

use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{A2aReport, A2aSdk, A2aStep, ExampleServer, built};
use serde_json::{Value, json};

fn message(id: &str, text: &str) -> Value {
    json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": text }] })
}

fn reply(task: &str, id: &str, part: &Value) -> Value {
    json!({ "messageId": id, "role": "ROLE_USER", "taskId": task, "parts": [part] })
}

fn job(url: &str, binding: &str) -> Value {
    let step =
        |name: &str, method: &str, params: Value| json!({ "name": name, "method": method, "params": params });
    let mut again = message("m-again", "count");
    again["contextId"] = json!("$count.context");
    let file = json!({
        "messageId": "m-file",
        "role": "ROLE_USER",
        "parts": [
            { "text": "look" },
            { "raw": "aGk=", "mediaType": "image/png", "filename": "hi.png" },
            { "data": { "seats": 2.0 } },
        ],
        "metadata": { "trace": "7" },
    });
    let mut waiting = step("waiting", "stream", json!({ "message": message("m-wait", "wait") }));
    waiting["cancelOn"] = json!("waiting");
    let approved = json!({ "data": { "approved": true } });
    let steps = json!([
        step("hello", "stream", json!({ "message": message("m-hello", "hello") })),
        step("count", "send", json!({ "message": message("m-count", "count") })),
        step("again", "send", json!({ "message": again })),
        step("menu", "stream", json!({ "message": message("m-menu", "menu") })),
        step("send", "stream", json!({ "message": message("m-send", "send a letter") })),
        step("sent", "stream", json!({ "message": reply("$send.task", "m-sent", &approved) })),
        step("file", "send", json!({ "message": file })),
        waiting,
        step("late", "cancel", json!({ "id": "$waiting.task" })),
        step("get", "get", json!({ "id": "$send.task", "historyLength": 1 })),
        step("list", "list", json!({ "contextId": "$count.context", "includeArtifacts": true })),
        step("unknown", "get", json!({ "id": "t-1" })),
        step(
            "video",
            "send",
            json!({ "message": {
            "messageId": "m-video",
            "role": "ROLE_USER",
            "parts": [{ "raw": "aGk=", "mediaType": "video/mp4" }],
        } })
        ),
        step(
            "after",
            "stream",
            json!({ "message": reply("$hello.task", "m-after", &json!({ "text": "hello" })) })
        ),
        step("subscribe", "subscribe", json!({ "id": "$hello.task" })),
        step("fail", "send", json!({ "message": message("m-fail", "fail") })),
    ]);
    json!({ "url": url, "binding": binding, "steps": steps })
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap()
}

/// Returns the states of a stream, in order.
fn states(step: &A2aStep) -> Vec<&str> {
    let statuses = step.items().iter().filter_map(|item| item["statusUpdate"]["status"]["state"].as_str());
    statuses.collect()
}

/// Returns the pieces of text of a stream, in order.
fn text(step: &A2aStep) -> String {
    let updates = step.items().iter().filter_map(|item| item.get("artifactUpdate"));
    updates.filter_map(|update| update["artifact"]["parts"][0]["text"].as_str()).collect()
}

fn data<'t>(task: &'t Value, name: &str) -> &'t Value {
    let artifacts = task["artifacts"].as_array().unwrap();
    let artifact = artifacts.iter().find(|artifact| artifact["name"] == name);
    &artifact.unwrap_or_else(|| panic!("no {name}: {task}"))["parts"][0]["data"]
}

fn check(report: &A2aReport, errors: [&str; 5]) {
    let card = &report.card;
    assert_eq!((&card["name"], &card["capabilities"]["streaming"]), (&json!("desk"), &json!(true)), "{card}");
    let [
        hello,
        count,
        again,
        menu,
        send,
        sent,
        file,
        waiting,
        late,
        get,
        list,
        unknown,
        video,
        after,
        subscribe,
        fail,
    ] = report.steps.as_slice()
    else {
        panic!("{report:#?}")
    };
    assert_eq!(state(&hello.items()[0]["task"]), "TASK_STATE_SUBMITTED");
    assert_eq!(states(hello), ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    assert_eq!(text(hello), "Good day.");
    assert_eq!(state(count.task()), "TASK_STATE_COMPLETED");
    // One client reads all numbers as floats.
    let counts = [count, again].map(|step| data(step.task(), "state")["count"].as_f64());
    assert_eq!(counts, [Some(1.0), Some(2.0)]);
    let mut menus = menu.items().iter().filter(|item| item["artifactUpdate"]["artifact"]["name"] == "MENU");
    let last = menus.next_back().unwrap();
    assert_eq!(last["artifactUpdate"]["artifact"]["parts"][0]["data"]["dishes"], json!(["soup", "rice"]));
    assert_eq!(states(send), ["TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED"]);
    assert_eq!(states(sent), ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    assert_eq!(text(sent), "Sent.");
    let read = &data(file.task(), "result")["last"];
    assert_eq!(read["content"][1]["source"]["value"], "aGk=");
    assert_eq!(read["metadata"]["a2a"]["metadata"], json!({ "trace": "7" }));
    assert_eq!(states(waiting), ["TASK_STATE_WORKING", "TASK_STATE_CANCELED"]);
    assert_eq!(state(get.task()), "TASK_STATE_COMPLETED");
    assert_eq!(get.task()["history"].as_array().unwrap().len(), 1);
    let list = &list.items()[0];
    assert_eq!((list["tasks"].as_array().unwrap().len(), &list["totalSize"]), (2, &json!(2)), "{list}");
    assert_eq!(state(fail.task()), "TASK_STATE_FAILED");
    for (step, expected) in [late, unknown, video, after, subscribe].into_iter().zip(errors) {
        match step {
            A2aStep::Thrown { thrown, .. } => assert_eq!(thrown, expected, "{step:?}"),
            A2aStep::Items { .. } => panic!("expected {expected}: {step:?}"),
        }
    }
}

fn server() -> ExampleServer {
    let command = Command::new(built("a2a_desk"));
    ExampleServer::spawn("a2a_desk", command, Duration::from_secs(60)).unwrap()
}

/// The errors of both clients are classes for the codes.
const ERRORS: [&str; 5] = [
    "TaskNotCancelableError",
    "TaskNotFoundError",
    "ContentTypeNotSupportedError",
    "UnsupportedOperationError",
    "UnsupportedOperationError",
];

#[test]
fn typescript() {
    let sdk = need!(A2aSdk::typescript());
    let server = server();
    for binding in ["JSONRPC", "HTTP+JSON"] {
        // It looks for the card at the root, whatever the address says.
        check(&sdk.client(&job(server.url(), binding)), ERRORS);
    }
}

#[test]
fn python() {
    let sdk = need!(A2aSdk::python());
    let server = server();
    let below = format!("{}/a2a", server.url().trim_end_matches('/'));
    for (url, binding) in [(server.url(), "JSONRPC"), (&below, "HTTP+JSON")] {
        check(&sdk.client(&job(url, binding)), ERRORS);
    }
}
