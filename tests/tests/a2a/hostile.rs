//! Clients that break the protocol.

use std::sync::atomic::Ordering;

use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::talk::{TestServer, block_on, message, named, rpc, state};

fn post(body: &str) -> Request {
    Request::run("/a2a", body).header("a2a-version", "1.0")
}

#[test]
fn bodies_that_are_no_requests() {
    block_on(async {
        let server = TestServer::open().await;
        for (body, code, id) in [
            ("", -32700, Value::Null),
            ("{", -32700, Value::Null),
            ("[]", -32600, Value::Null),
            (r#"[{"jsonrpc":"2.0","id":7,"method":"GetTask"}]"#, -32600, Value::Null),
            ("7", -32600, Value::Null),
            (r#"{"id":7,"method":"GetTask"}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"1.0","id":"a","method":"GetTask"}"#, -32600, json!("a")),
            (r#"{"jsonrpc":"2.0","id":{"a":1},"method":7}"#, -32600, Value::Null),
            (r#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"message/send"}"#, -32601, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"GetTask"}"#, -32602, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"GetTask","params":[1]}"#, -32602, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":null}"#, -32602, json!(7)),
        ] {
            let whole = post(body).send(server.address).await;
            let response = whole.json();
            assert_eq!(
                (whole.status, &response["error"]["code"], &response["id"]),
                (200, &json!(code), &id),
                "{body}"
            );
            let info = &response["error"]["data"][0];
            assert_eq!(
                (&info["@type"], &info["domain"]),
                (&json!("type.googleapis.com/google.rpc.ErrorInfo"), &json!("a2a-protocol.org"))
            );
        }
    });
}

#[test]
fn versions() {
    block_on(async {
        let server = TestServer::open().await;
        let request = rpc("SendMessage", json!({ "message": message("m", "hello") }));
        for (version, is_spoken) in [
            ("1.0", true),
            ("1.1", true),
            ("1", true),
            ("0.3", false),
            ("2.0", false),
            ("", false),
            ("x", false),
        ] {
            let response = request.clone().header("a2a-version", version).send(server.address).await.json();
            assert_eq!(response.get("result").is_some(), is_spoken, "{version}");
            assert!(is_spoken || response["error"]["code"] == -32009, "{response}");
        }
        // A client of 0.3 sends no header.
        let response = request.clone().without("a2a-version").send(server.address).await.json();
        assert_eq!(response["error"]["code"], -32009);
        let body = String::from_utf8(request.head()).unwrap();
        assert!(body.contains("a2a-version: 1.0"));
    });
}

#[test]
fn malformed_messages() {
    block_on(async {
        let server = TestServer::open().await;
        let cases = [
            (json!({}), -32602),
            (json!({ "messageId": "m", "role": "ROLE_USER", "parts": [] }), -32602),
            (json!({ "messageId": "", "role": "ROLE_USER", "parts": [{ "text": "hello" }] }), -32602),
            (json!({ "messageId": "m", "role": "ROLE_AGENT", "parts": [{ "text": "hello" }] }), -32602),
            (json!({ "messageId": "m", "role": "user", "parts": [{ "text": "hello" }] }), -32602),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "a", "url": "b" }] }),
                -32602,
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "raw": "*", "mediaType": "image/png" }] }),
                -32602,
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "raw": "aGk=", "mediaType": "video/mp4" }] }),
                -32005,
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "url": "file:///etc/passwd" }] }),
                -32005,
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "contextId": "c".repeat(513), "parts": [{ "text": "a" }] }),
                -32602,
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "taskId": "t-1", "parts": [{ "text": "a" }] }),
                -32001,
            ),
        ];
        for (message, code) in cases {
            let refused = server.refused("SendMessage", json!({ "message": message })).await;
            assert_eq!(refused, code, "{message}");
            assert_eq!(server.refused("SendStreamingMessage", json!({ "message": message })).await, code);
        }
        assert_eq!(server.bells.began.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn tasks_that_the_client_does_not_have() {
    block_on(async {
        let server = TestServer::open().await;
        let task = server.say(message("m-1", "hello")).await;
        let id = task["id"].as_str().unwrap();
        let (first, _) = id.split_once('.').unwrap();
        for id in [
            "",
            "t-1",
            first,
            &format!("{first}."),
            &format!("{id}A"),
            &format!("{first}.dGhlcmU"),
            "../../x",
            "\u{0}",
        ] {
            for method in ["GetTask", "CancelTask", "SubscribeToTask"] {
                assert_eq!(server.refused(method, json!({ "id": id })).await, -32001, "{method} {id}");
            }
        }
        assert_eq!(server.refused("GetTask", json!({ "id": id, "historyLength": -1 })).await, -32602);
        let short = server.ask("GetTask", json!({ "id": id, "historyLength": 0 })).await;
        assert!(short.get("history").is_none() && short["artifacts"] == task["artifacts"], "{short}");
    });
}

#[test]
fn methods_that_the_agent_does_not_have() {
    block_on(async {
        let server = TestServer::open().await;
        for method in [
            "CreateTaskPushNotificationConfig",
            "GetTaskPushNotificationConfig",
            "ListTaskPushNotificationConfigs",
            "DeleteTaskPushNotificationConfig",
        ] {
            assert_eq!(
                server.refused(method, json!({ "taskId": "t", "url": "http://127.0.0.1:1" })).await,
                -32003
            );
        }
        let configuration = json!({ "taskPushNotificationConfig": { "url": "http://127.0.0.1:1" } });
        let params = json!({ "message": message("m", "hello"), "configuration": configuration });
        assert_eq!(server.refused("SendMessage", params).await, -32003);
        assert_eq!(server.refused("GetExtendedAgentCard", json!({})).await, -32004);
    });
}

#[test]
fn a_long_text_arrives_whole() {
    block_on(async {
        let server = TestServer::open().await;
        let task = server.say(message("m-1", "roar 3000000")).await;
        assert_eq!(state(&task), "TASK_STATE_COMPLETED");
        let artifacts = task["artifacts"].as_array().unwrap();
        let longest =
            artifacts.iter().filter_map(|artifact| artifact["parts"][0]["text"].as_str()).map(str::len).max();
        assert_eq!(longest, Some(3_000_000));
        assert_eq!(named(&task, "result")["parts"][0]["data"]["messages"], 1);
    });
}

#[test]
fn pages_of_other_origins_and_bodies_of_other_types_are_refused() {
    block_on(async {
        let server = TestServer::open().await;
        let request = rpc("SendMessage", json!({ "message": message("m", "hello") }));
        for (header, value, status) in [
            ("origin", "https://evil.example", 403),
            ("host", "evil.example", 403),
            ("content-type", "text/plain", 415),
        ] {
            let whole = request.clone().header(header, value).send(server.address).await;
            assert_eq!(whole.status, status, "{header}: {}", whole.text());
        }
        let card = Request::new("GET", "/a2a/.well-known/agent-card.json").header("host", "evil.example");
        assert_eq!(card.send(server.address).await.status, 403, "an attacker may not choose the address");
        assert_eq!(server.bells.began.load(Ordering::SeqCst), 0);
    });
}
