//! Answers over HTTP that do not name their request, come to nothing, or come twice.

use std::time::{Duration, Instant};

use agui_runtime::mcp::{McpClient, McpError};
use axum::response::Response;
use serde_json::{Value, json};

use crate::raw_http::{Asked, RawServer, answer, error, events, one_tool, plain, with_header};
use crate::wired::{block_on, through};

type Reply = fn(&Asked) -> Response;

/// A server whose lists are answered so.
async fn listing(reply: Reply) -> (RawServer, McpClient) {
    let server = RawServer::serve(move |asked| match asked.what() {
        "tools/list" => reply(asked),
        _ => asked.usual(),
    })
    .await;
    let client = server.client().await;
    (server, client)
}

#[test]
fn an_error_without_the_id_of_its_request_is_its_answer() {
    let replies: [Reply; 9] = [
        |_| error(200, &Value::Null, -32603, "the database is away"),
        |_| {
            answer(
                200,
                &json!({ "jsonrpc": "2.0", "error": { "code": -32603, "message": "the database is away" } }),
            )
        },
        |_| error(200, &json!("server-error"), -32603, "the database is away"),
        |_| error(200, &json!(999), -32603, "the database is away"),
        |_| error(400, &Value::Null, -32603, "the database is away"),
        |_| error(500, &json!("server-error"), -32603, "the database is away"),
        |_| {
            events(
                "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"the database is away\"}}\n\n",
            )
        },
        |_| answer(200, &json!({ "jsonrpc": "2.0", "error": "the database is away", "id": null })),
        |asked| {
            let error = json!({ "code": -32603, "message": "the database is away" });
            answer(
                200,
                &json!([{ "jsonrpc": "2.0", "id": asked.message["id"], "result": null, "error": error }]),
            )
        },
    ];
    for (form, reply) in replies.into_iter().enumerate() {
        block_on(async {
            let (_server, client) = listing(reply).await;
            let start = Instant::now();
            for _ in 0..2 {
                let error = client.tools().await.unwrap_err();
                let is_right = matches!(&error, McpError::Refused { code: -32603, message, .. } if message == "the database is away");
                assert!(is_right, "form {form}: {error:?}");
            }
            assert!(start.elapsed() < Duration::from_secs(5));
        });
    }
}

#[test]
fn a_response_without_an_answer_fails_at_once() {
    let replies: [Reply; 10] = [
        |_| plain(202, ""),
        |_| plain(204, ""),
        |_| plain(200, ""),
        |_| plain(200, "<html></html>"),
        |_| answer(200, &json!({ "tools": [] })),
        |_| answer(400, &json!({ "detail": "no" })),
        |_| plain(404, "no"),
        |_| plain(500, "no"),
        |_| events(""),
        |_| events("data: nothing\n\n"),
    ];
    for (form, reply) in replies.into_iter().enumerate() {
        block_on(async {
            let (_server, client) = listing(reply).await;
            let start = Instant::now();
            let error = client.tools().await.unwrap_err();
            assert!(!matches!(error, McpError::Timeout { .. }), "form {form}: {error:?}");
            assert!(start.elapsed() < Duration::from_secs(5), "form {form}: {error:?}");
        });
    }
}

#[test]
fn an_answer_with_another_id_is_the_answer() {
    block_on(async {
        for id in [json!(999), json!("1"), Value::Null] {
            let body = json!({ "jsonrpc": "2.0", "id": id, "result": one_tool(), "error": null });
            let server = RawServer::serve(move |asked| match asked.what() {
                "tools/list" => answer(200, &body),
                "tools/call" => events(format!(
                    "data: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":1}}}}\n\n\
                     data: {}\n\n",
                    json!({ "jsonrpc": "2.0", "id": id, "result": { "content": [{ "type": "text", "text": "gone" }], "structuredContent": null } })
                )),
                _ => asked.usual(),
            })
            .await;
            let client = server.client().await;
            assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
        }
    });
}

/// A server whose address is another one.
async fn redirecting(status: u16, location: &'static str) -> RawServer {
    RawServer::serve(move |asked| match asked.path.as_str() {
        "/mcp" => with_header(plain(status, ""), "location", location),
        _ => asked.usual(),
    })
    .await
}

#[test]
fn redirects_on_the_same_host_are_followed_with_the_request() {
    for status in [301, 302, 307, 308] {
        block_on(async {
            let server = redirecting(status, "/mcp/").await;
            let endpoint = agui_runtime::mcp::McpEndpoint::new(server.url())
                .bearer("secret")
                .header("x-team", "returns");
            let client = McpClient::http(endpoint.unwrap()).await.unwrap();
            assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false), "{status}");
            for asked in server.asked.all() {
                assert_eq!(asked.headers["authorization"], "Bearer secret");
                assert_eq!(asked.headers["x-team"], "returns");
            }
            let calls: Vec<_> =
                server.asked.all().into_iter().filter(|asked| asked.what() == "tools/call").collect();
            assert_eq!(calls.iter().map(|asked| &*asked.path).collect::<Vec<_>>(), ["/mcp", "/mcp/"]);
        });
    }
}

#[test]
fn other_redirects_are_named_and_get_nothing() {
    block_on(async {
        let thief = RawServer::serve(Asked::usual).await;
        let elsewhere = format!("http://{}", thief.address);
        for status in [301, 302, 303, 307, 308] {
            let target = format!("{elsewhere}/steal?key=secret");
            let server = RawServer::serve(move |_| with_header(plain(status, ""), "location", &target)).await;
            let endpoint = agui_runtime::mcp::McpEndpoint::new(server.url()).bearer("secret");
            let error = McpClient::http(endpoint).await.unwrap_err();
            assert!(matches!(error, McpError::Connect { .. }), "{error:?}");
            let text = error.to_string();
            assert!(text.contains(&elsewhere) && !text.contains("secret"), "{text}");
        }
        assert!(thief.asked.all().is_empty());
        for (status, location, reason) in [
            (303, "/mcp/", "the status 303"),
            (307, "/mcp", "more than 5 times"),
            (307, "http://", "no address"),
        ] {
            let error =
                McpClient::http(redirecting(status, location).await.url()).await.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    });
}

#[test]
fn a_call_that_is_redirected_to_another_host_says_so() {
    block_on(async {
        let server = RawServer::serve(|asked| match asked.what() {
            "tools/call" => with_header(plain(307, ""), "location", "https://other.example/mcp?key=secret"),
            _ => asked.usual(),
        })
        .await;
        let client = server.client().await;
        let (text, failed) = through(&client, "go", json!({})).await;
        assert!(failed && text.contains("`https://other.example`") && !text.contains("secret"), "{text}");
    });
}
