//! The limits, the identities and the layers of the server.

use std::time::Duration;

use agui_runtime::Limits;
use agui_runtime::http::{InputLimits, Rejection};
use agui_tests::http::Request;
use axum::middleware::{Next, from_fn};
use serde_json::json;

use crate::talk::{TestServer, block_on, message, rpc, state};

/// The party behind a request.
#[derive(Clone)]
struct Customer(String);

async fn identify(
    mut request: axum::extract::Request,
    next: Next,
) -> Result<axum::response::Response, Rejection> {
    let name = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let name = name.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
    let name = name.ok_or_else(|| Rejection::unauthenticated("sign in first"))?;
    request.extensions_mut().insert(Customer(name));
    Ok(next.run(request).await)
}

async fn members() -> TestServer {
    TestServer::with(|server| server.identity(|who: &Customer| who.0.clone()).layer(from_fn(identify))).await
}

fn by(name: &str, request: &Request) -> Request {
    request.clone().header("authorization", &format!("Bearer {name}"))
}

#[test]
fn a_task_belongs_to_the_client_that_began_it() {
    block_on(async {
        let server = members().await;
        let send = rpc("SendMessage", json!({ "message": message("m-1", "send it") }));
        assert_eq!(send.send(server.address).await.status, 401);
        let asked = by("ada", &send).send(server.address).await.json()["result"]["task"].clone();
        let id = &asked["id"];
        let answer = json!({
            "messageId": "m-2",
            "role": "ROLE_USER",
            "taskId": id,
            "parts": [{ "data": { "approved": true } }],
        });
        for (method, params) in [
            ("GetTask", json!({ "id": id })),
            ("CancelTask", json!({ "id": id })),
            ("SubscribeToTask", json!({ "id": id })),
            ("SendMessage", json!({ "message": answer })),
        ] {
            let response = by("eve", &rpc(method, params)).send(server.address).await.json();
            assert_eq!(response["error"]["code"], -32001, "{method}: {response}");
        }
        let get = by("ada", &rpc("GetTask", json!({ "id": id }))).send(server.address).await.json();
        assert_eq!(state(&get["result"]), "TASK_STATE_INPUT_REQUIRED");
    });
}

#[test]
fn the_list_has_the_tasks_of_its_client() {
    block_on(async {
        let server = members().await;
        for (name, id) in [("ada", "m-1"), ("ada", "m-2"), ("eve", "m-1")] {
            let send = rpc("SendMessage", json!({ "message": message(id, "hello") }));
            assert_eq!(by(name, &send).send(server.address).await.status, 200);
        }
        for (name, count) in [("ada", 2), ("eve", 1), ("bob", 0)] {
            let list = by(name, &rpc("ListTasks", json!({}))).send(server.address).await.json();
            let list = &list["result"];
            assert_eq!(
                (list["tasks"].as_array().unwrap().len(), &list["totalSize"]),
                (count, &json!(count)),
                "{name}"
            );
        }
    });
}

#[test]
fn the_number_of_runs_and_the_size_of_bodies_are_limited() {
    block_on(async {
        let limits = Limits::default().runs(1).body_size(2_000);
        let server = TestServer::with(|server| server.limits(limits)).await;
        let (_, _answer) = server.waiting("m-1").await;
        let send = rpc("SendMessage", json!({ "message": message("m-2", "hello") }));
        assert_eq!(send.send(server.address).await.status, 503);
        let large = rpc("SendMessage", json!({ "message": message("m-3", &"a".repeat(2_000)) }));
        assert_eq!(large.send(server.address).await.status, 413);
    });
}

#[test]
fn a_server_without_a_place_for_a_run_shows_and_cancels_tasks() {
    block_on(async {
        let server = TestServer::with(|server| server.limits(Limits::default().runs(1))).await;
        let (id, _answer) = server.waiting("m-1").await;
        let task = server.ask("GetTask", json!({ "id": id })).await;
        assert_eq!(state(&task), "TASK_STATE_WORKING");
        let list = server.ask("ListTasks", json!({ "contextId": task["contextId"] })).await;
        assert_eq!(list["totalSize"], 1);
        let mut followed = rpc("SubscribeToTask", json!({ "id": id })).open(server.address).await;
        followed.until("WORKING").await;
        assert_eq!(state(&server.ask("CancelTask", json!({ "id": id })).await), "TASK_STATE_CANCELED");
    });
}

#[test]
fn the_values_of_a_request_are_limited() {
    block_on(async {
        let server = TestServer::with(|server| server.input_limits(InputLimits::default().nodes(40))).await;
        let many = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "data": vec![0; 50] }] });
        let whole = rpc("SendMessage", json!({ "message": many })).send(server.address).await;
        assert!(whole.status == 413 && whole.text().contains("too_many_nodes"), "{}", whole.text());
    });
}

#[test]
fn a_run_that_takes_too_long_fails_its_task() {
    block_on(async {
        let limits = Limits::default().run_timeout(Duration::from_millis(50));
        let server = TestServer::with(|server| server.limits(limits)).await;
        let task = server.say(message("m-1", "wait")).await;
        assert_eq!(
            (state(&task), &task["status"]["message"]["metadata"]["code"]),
            ("TASK_STATE_FAILED", &json!("run_timeout"))
        );
    });
}
