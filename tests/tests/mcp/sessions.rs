//! Sessions over HTTP that are gone, in each form in which servers say it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::response::Response;
use serde_json::{Value, json};

use crate::raw_http::{Asked, RawServer, error, events, plain, with_header};
use crate::wired::{block_on, through};

type Refuse = fn(&Asked) -> Response;

/// A server with sessions, which forgets all of them when the number changes.
async fn forgetful(refuse: Refuse) -> (RawServer, Arc<AtomicUsize>) {
    let current = Arc::new(AtomicUsize::new(1));
    let known = Arc::clone(&current);
    let server = RawServer::serve(move |asked| {
        let session = format!("session-{}", known.load(Ordering::SeqCst));
        match asked.what() {
            "server/discover" => asked.error(400, -32000, "Bad Request: Server not initialized"),
            "initialize" => with_header(asked.usual(), "mcp-session-id", &session),
            _ if asked.session() != Some(&session) => refuse(asked),
            _ => asked.usual(),
        }
    })
    .await;
    (server, current)
}

/// The forms of the SDKs, of servers in use, and of those between: [typescript-sdk, python-sdk, rust-sdk, go].
const FORMS: [Refuse; 17] = [
    |_| plain(404, ""),
    |_| plain(404, "session not found"),
    |_| error(404, &Value::Null, -32001, "Session not found"),
    |_| error(404, &json!("server-error"), -32600, "Session not found"),
    |_| error(404, &json!("server-error"), -32600, "Not Found: Invalid or expired session ID"),
    |asked| asked.error(404, -32001, "Session not found"),
    |asked| asked.error(404, -32000, "Unknown"),
    |_| error(400, &Value::Null, -32000, "Bad Request: No valid session ID provided"),
    |_| error(400, &Value::Null, -32000, "Bad Request: Server not initialized"),
    |asked| asked.error(400, -32600, "Invalid session"),
    |_| plain(400, "Bad Request: Session ID is not valid"),
    |_| plain(401, "Unauthorized: Session not found"),
    |_| plain(410, "Gone"),
    |_| error(200, &Value::Null, -32001, "Session not found"),
    |asked| asked.error(200, -32001, "Session not found"),
    |asked| asked.error(500, -32603, "Session has expired"),
    |_| {
        events(
            "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"Session not found\"}}\n\n",
        )
    },
];

#[test]
fn a_session_that_is_gone_is_opened_again_and_the_request_is_made_once() {
    for (form, refuse) in FORMS.into_iter().enumerate() {
        block_on(async {
            let (server, current) = forgetful(refuse).await;
            let client = server.client().await;
            assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
            for lost in 0..2 {
                current.fetch_add(1, Ordering::SeqCst);
                if lost == 0 {
                    assert_eq!(client.tools().await.unwrap().len(), 1, "form {form}");
                    continue;
                }
                // The session is gone between the list and the call.
                let tools = client.tools().await.unwrap();
                current.fetch_add(1, Ordering::SeqCst);
                let called = crate::wired::through_tools(tools, "go", json!({})).await;
                assert_eq!(called, ("gone".to_owned(), false), "form {form}");
            }
            assert_eq!(server.asked.count("initialize"), 4, "form {form}");
        });
    }
}

/// The tool ran, and its failure has words of a session.
#[test]
fn a_call_that_may_have_been_made_is_not_made_again() {
    let answers: [Refuse; 7] = [
        |asked| asked.error(200, -32000, "the login session has expired"),
        |asked| asked.error(500, -32603, "the session of the browser was closed"),
        |_| error(500, &Value::Null, -32603, "the session of the database is lost"),
        |_| error(400, &Value::Null, -32000, "Bad Request: the checkout session has expired"),
        |asked| asked.error(200, -32001, "Request timed out"),
        |asked| asked.error(404, -32602, "no such page"),
        |_| plain(502, "Bad Gateway"),
    ];
    for (form, reply) in answers.into_iter().enumerate() {
        block_on(async {
            let server = RawServer::serve(move |asked| match asked.what() {
                "initialize" => with_header(asked.usual(), "mcp-session-id", "one"),
                "tools/call" => reply(asked),
                _ => asked.usual(),
            })
            .await;
            let client = server.client().await;
            let (text, failed) = through(&client, "go", json!({})).await;
            assert!(failed, "form {form}: {text}");
            assert_eq!(
                (server.asked.count("tools/call"), server.asked.count("initialize")),
                (1, 1),
                "form {form}: {text}"
            );
        });
    }
}

#[test]
fn a_request_that_is_refused_in_each_session_is_made_twice_at_most() {
    block_on(async {
        let server = RawServer::serve(|asked| match asked.what() {
            "initialize" => with_header(asked.usual(), "mcp-session-id", "one"),
            "tools/list" => error(404, &Value::Null, -32001, "Session not found"),
            _ => asked.usual(),
        })
        .await;
        let client = server.client().await;
        assert!(client.tools().await.is_err());
        assert_eq!(server.asked.count("tools/list"), 2);
    });
}
