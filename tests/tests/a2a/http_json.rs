//! The HTTP+JSON binding: the same tasks as by JSON-RPC, and errors with a status of HTTP.

use std::sync::atomic::Ordering;

use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::streams::folded;
use crate::talk::{TestServer, block_on, message, reply, state};

fn post(path: &str, body: &Value) -> Request {
    Request::run(&format!("/a2a/{path}"), body.to_string()).header("a2a-version", "1.0")
}

/// A request without a body, and without the header that would say of which type it is.
fn bare(method: &str, path: &str) -> Request {
    Request::new(method, &format!("/a2a/{path}")).header("a2a-version", "1.0")
}

impl TestServer {
    async fn result(&self, request: Request) -> Value {
        let whole = request.send(self.address).await;
        assert_eq!(
            (whole.status, whole.header("content-type")),
            (200, Some("application/a2a+json")),
            "{}",
            whole.text()
        );
        whole.json()
    }

    /// Returns status and reason of a request that fails.
    async fn failure(&self, request: Request) -> (u16, String) {
        let whole = request.send(self.address).await;
        assert_eq!(whole.header("content-type"), Some("application/json"), "{}", whole.text());
        let error = &whole.json()["error"];
        assert_eq!(error["code"], whole.status, "{error}");
        assert!(error["status"].is_string() && error["message"].is_string(), "{error}");
        let info = &error["details"][0];
        assert_eq!(
            (&info["@type"], &info["domain"]),
            (&json!("type.googleapis.com/google.rpc.ErrorInfo"), &json!("a2a-protocol.org"))
        );
        (whole.status, info["reason"].as_str().unwrap().to_owned())
    }

    async fn events(&self, request: Request) -> Vec<Value> {
        let whole = request.send(self.address).await;
        assert_eq!(
            (whole.status, whole.header("content-type")),
            (200, Some("text/event-stream")),
            "{}",
            whole.text()
        );
        whole.events()
    }
}

#[test]
fn both_bindings_have_the_same_tasks() {
    block_on(async {
        let server = TestServer::open().await;
        for text in ["hello", "menu", "send it", "fail", "choose one", "secret"] {
            let sent = server.result(post("message:send", &json!({ "message": message("m-1", text) }))).await;
            let task = &sent["task"];
            let id = task["id"].as_str().unwrap();
            assert_eq!(server.ask("GetTask", json!({ "id": id })).await, *task, "{text}");
            assert_eq!(server.result(bare("GET", &format!("tasks/{id}"))).await, *task, "{text}");
            let short = server.result(bare("GET", &format!("tasks/{id}?historyLength=0"))).await;
            assert!(short.get("history").is_none(), "{short}");

            let streamed = post("message:stream", &json!({ "message": message("m-1", text) }));
            let mut seen = folded(&server.events(streamed).await);
            let got = server.ask("GetTask", json!({ "id": seen["id"] })).await;
            seen["history"] = got["history"].clone();
            assert_eq!(seen, got, "{text}");
        }
    });
}

#[test]
fn questions_are_answered_and_tasks_cancelled() {
    block_on(async {
        let server = TestServer::open().await;
        let send = |message: Value| post("message:send", &json!({ "message": message }));
        let asked = server.result(send(message("m-1", "send it"))).await["task"].clone();
        let yes = reply(&asked, "m-2", json!({ "data": { "approved": true } }));
        let done = server.result(send(yes)).await;
        assert_eq!(state(&done["task"]), "TASK_STATE_COMPLETED");
        // One client sends an empty body of JSON, one a body that says nothing more, and one none.
        for (number, body) in [None, Some(""), Some("{}")].into_iter().enumerate() {
            let (id, mut answer) = server.waiting(&format!("m-{number}")).await;
            let subscribed = [
                bare("POST", &format!("tasks/{id}:subscribe")),
                bare("GET", &format!("tasks/{id}:subscribe")),
            ];
            for request in subscribed {
                let mut followed = request.open(server.address).await;
                assert!(followed.until("waiting").await.starts_with("data: {\"task\":"));
            }
            let mut cancel = bare("POST", &format!("tasks/{id}:cancel"));
            if let Some(body) = body {
                cancel = cancel.header("content-type", "application/json").body(body);
            }
            assert_eq!(state(&server.result(cancel.clone()).await), "TASK_STATE_CANCELED");
            answer.until("CANCELED").await;
            assert_eq!(server.failure(cancel).await, (400, "TASK_NOT_CANCELABLE".to_owned()));
            let late = bare("POST", &format!("tasks/{id}:subscribe"));
            assert_eq!(server.failure(late).await, (400, "UNSUPPORTED_OPERATION".to_owned()));
        }
    });
}

#[test]
fn lists_are_queries() {
    block_on(async {
        let server = TestServer::open().await;
        for number in 0..3 {
            let mut message = message(&format!("m-{number}"), "hello");
            message["contextId"] = json!("c/1 &");
            server.say(message).await;
        }
        let context = "contextId=c%2F1%20%26";
        let list =
            server.result(bare("GET", &format!("tasks?{context}&pageSize=2&includeArtifacts=true"))).await;
        let params = json!({ "contextId": "c/1 &", "pageSize": 2, "includeArtifacts": true });
        assert_eq!(list, server.ask("ListTasks", params).await);
        assert_eq!((list["tasks"].as_array().unwrap().len(), &list["totalSize"]), (2, &json!(3)));
        let token = list["nextPageToken"].as_str().unwrap();
        let rest = server.result(bare("GET", &format!("tasks?{context}&pageToken={token}"))).await;
        assert!(rest["tasks"][0].get("artifacts").is_none(), "{rest}");
        let none = server.result(bare("GET", &format!("tasks?{context}&status=TASK_STATE_WORKING"))).await;
        assert_eq!(none["tasks"], json!([]));
        for wrong in ["pageSize=many", "pageSize=0", "includeArtifacts=1", "historyLength=-1", "pageToken=x"]
        {
            let refused = server.failure(bare("GET", &format!("tasks?{context}&{wrong}"))).await;
            assert_eq!(refused, (400, "INVALID_PARAMS".to_owned()), "{wrong}");
        }
        assert_eq!(server.failure(bare("GET", "tasks")).await, (400, "UNSUPPORTED_OPERATION".to_owned()));
    });
}

#[test]
fn requests_that_fail_say_why() {
    block_on(async {
        let server = TestServer::open().await;
        let send = |body: &str| Request::run("/a2a/message:send", body).header("a2a-version", "1.0");
        let video = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "raw": "aGk=", "mediaType": "video/mp4" }] });
        let hello = json!({ "message": message("m", "hello") });
        let push = json!({ "message": message("m", "hello"), "configuration": { "taskPushNotificationConfig": {} } });
        let cases = [
            (send("{"), (400, "INVALID_REQUEST")),
            (send(""), (400, "INVALID_REQUEST")),
            (send("[]"), (400, "INVALID_PARAMS")),
            (send("{}"), (400, "INVALID_PARAMS")),
            (post("message:stream", &json!({ "message": video })), (400, "CONTENT_TYPE_NOT_SUPPORTED")),
            (post("message:send", &hello).without("a2a-version"), (400, "VERSION_NOT_SUPPORTED")),
            (post("message:send", &hello).header("a2a-version", "0.3"), (400, "VERSION_NOT_SUPPORTED")),
            (post("message:send", &push), (400, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            (bare("GET", "tasks/t-1"), (404, "TASK_NOT_FOUND")),
            (bare("GET", "tasks/t:cancel"), (404, "TASK_NOT_FOUND")),
            (bare("GET", "tasks/%FF"), (404, "TASK_NOT_FOUND")),
            (bare("POST", "tasks/t-1:cancel"), (404, "TASK_NOT_FOUND")),
            (bare("POST", "tasks/t-1:subscribe"), (404, "TASK_NOT_FOUND")),
            (bare("POST", "tasks/t-1"), (404, "METHOD_NOT_FOUND")),
            (bare("POST", "tasks/t-1:stop"), (404, "METHOD_NOT_FOUND")),
            (post("tasks/t/pushNotificationConfigs", &json!({})), (400, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            (bare("GET", "tasks/t/pushNotificationConfigs"), (400, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            (bare("GET", "tasks/t/pushNotificationConfigs/c"), (400, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            (bare("DELETE", "tasks/t/pushNotificationConfigs/c"), (400, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            (bare("GET", "extendedAgentCard"), (400, "UNSUPPORTED_OPERATION")),
        ];
        for (number, (request, (status, reason))) in cases.into_iter().enumerate() {
            assert_eq!(server.failure(request).await, (status, reason.to_owned()), "{number}");
        }
        assert_eq!(server.bells.began.load(Ordering::SeqCst), 0);
        // The query may name the version.
        let named = post("message:send?A2A-Version=1.0", &hello).without("a2a-version");
        assert_eq!(state(&server.result(named).await["task"]), "TASK_STATE_COMPLETED");
    });
}

#[test]
fn foreign_pages_and_other_types_are_refused() {
    block_on(async {
        let server = TestServer::open().await;
        let send = post("message:send", &json!({ "message": message("m", "hello") }));
        for (header, value, status) in [
            ("origin", "https://evil.example", 403),
            ("host", "evil.example", 403),
            ("content-type", "text/plain", 415),
        ] {
            let whole = send.clone().header(header, value).send(server.address).await;
            assert_eq!(whole.status, status, "{header}: {}", whole.text());
        }
        let cancel = bare("POST", "tasks/t-1:cancel").header("origin", "https://evil.example");
        assert_eq!(cancel.send(server.address).await.status, 403);
        assert_eq!(server.bells.began.load(Ordering::SeqCst), 0);
    });
}
