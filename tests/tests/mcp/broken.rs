//! Servers that break the protocol, written by hand, line by line.

use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpError};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

use crate::wired::{block_on, through};

/// The answer of a server to a request: lines, and then the end of the connection or not.
enum Answer {
    Result(Value),
    Error(i32, &'static str),
    Line(&'static str),
    Silence,
    End,
}

/// A server of the older generation that answers requests as the function says.
async fn serve(stream: DuplexStream, answer: impl Fn(&str) -> Answer) {
    serve_to(stream, answer, Answer::Error(-32601, "unknown")).await;
}

/// The same, with another answer to the question of the newer generation.
async fn serve_to(stream: DuplexStream, answer: impl Fn(&str) -> Answer, discover: Answer) {
    let mut discover = Some(discover);
    let (read, mut write) = tokio::io::split(stream);
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        let Some(id) = request.get("id") else { continue };
        let method = request["method"].as_str().unwrap();
        let given = match method {
            "server/discover" => discover.take().unwrap_or(Answer::Silence),
            "initialize" => Answer::Result(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "raw", "version": "1" },
            })),
            _ => answer(method),
        };
        let line = match given {
            Answer::Result(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string(),
            Answer::Error(code, message) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
                    .to_string()
            }
            Answer::Line(line) => line.to_owned(),
            Answer::Silence => continue,
            Answer::End => return,
        };
        if write.write_all(format!("{line}\n").as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn raw(answer: impl Fn(&str) -> Answer + Send + 'static) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(serve(there, answer));
    McpClient::connect("raw", here).await.unwrap().timeout(Duration::from_millis(300))
}

fn one_tool() -> Answer {
    let schema = json!({ "type": "object" });
    Answer::Result(json!({ "tools": [{ "name": "go", "description": "Goes.", "inputSchema": schema }] }))
}

async fn listed(answer: impl Fn(&str) -> Answer + Send + 'static) -> McpError {
    raw(answer).await.tools().await.unwrap_err()
}

#[test]
fn a_list_that_is_no_list_is_a_typed_error() {
    block_on(async {
        let lists = [
            json!({ "tools": 7 }),
            json!({ "tools": [{ "name": "go", "inputSchema": "string" }] }),
            json!({ "tools": [{ "inputSchema": { "type": "object" } }] }),
            json!({}),
        ];
        for list in lists {
            let error = listed(move |_| Answer::Result(list.clone())).await;
            assert!(matches!(&error, McpError::Malformed { server, .. } if server == "raw"), "{error:?}");
        }
        let error = listed(|_| Answer::Error(-32000, "not today")).await;
        assert!(matches!(&error, McpError::Refused { code: -32000, message, .. } if message == "not today"));
    });
}

#[test]
fn silence_and_garbage_end_in_a_timeout() {
    block_on(async {
        for line in ["", "{", "no JSON", r#"{"jsonrpc":"2.0","id":99,"result":{"tools":[]}}"#, r#"{"a":1}"#] {
            let error = listed(move |_| Answer::Line(line)).await;
            assert!(matches!(error, McpError::Timeout { .. }), "{line}: {error:?}");
        }
        assert!(matches!(listed(|_| Answer::Silence).await, McpError::Timeout { .. }));
    });
}

#[test]
fn a_server_that_ends_fails_the_call_and_all_later_ones() {
    block_on(async {
        let answer = |method: &str| if method == "tools/list" { one_tool() } else { Answer::End };
        let server = raw(answer).await.timeout(Duration::from_secs(10));
        let lost = r#"{"error":"the connection to the MCP server `raw` was lost"}"#.to_owned();
        assert_eq!(through(&server, "go", json!({})).await, (lost, true));
        let error = server.tools().await.unwrap_err();
        assert!(matches!(error, McpError::Lost { .. }), "{error:?}");
    });
}

#[test]
fn a_result_that_is_not_one_of_a_call_fails_the_call() {
    block_on(async {
        let wrong = [
            json!({ "tools": [] }),
            json!({ "content": [{ "type": "hologram" }] }),
            json!({ "content": "text" }),
        ];
        for result in wrong {
            let server = raw(move |method| match method {
                "tools/list" => one_tool(),
                _ => Answer::Result(result.clone()),
            })
            .await;
            let (text, failed) = through(&server, "go", json!({})).await;
            assert!(
                failed && text.contains("the MCP server `raw` sent an answer that is not expected"),
                "{text}"
            );
        }
        let empty =
            raw(|method| if method == "tools/list" { one_tool() } else { Answer::Result(json!({})) }).await;
        assert_eq!(through(&empty, "go", json!({})).await, (String::new(), false));
    });
}

#[test]
fn a_server_that_asks_for_input_or_makes_a_task_fails_the_call() {
    block_on(async {
        let rows = [
            (
                json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "a" }),
                "input of the user",
            ),
            (
                json!({ "resultType": "task", "taskId": "1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": 1000 }),
                "a task",
            ),
        ];
        for (result, reason) in rows {
            let server = raw(move |method| match method {
                "tools/list" => one_tool(),
                _ => Answer::Result(result.clone()),
            })
            .await;
            let (text, failed) = through(&server, "go", json!({})).await;
            assert!(failed && text.contains(reason), "{text}");
        }
    });
}

#[test]
fn a_server_that_does_not_answer_the_first_question_gets_the_handshake() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let (here, there) = tokio::io::duplex(64 * 1024);
        tokio::spawn(serve_to(there, |_| one_tool(), Answer::Silence));
        let server = McpClient::connect("raw", here).await.unwrap();
        assert_eq!(server.protocol_version(), "2025-11-25");
        assert_eq!(server.tools().await.unwrap().len(), 1);
    });
}

#[test]
fn a_server_that_never_answers_is_not_connected() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let (here, _there) = tokio::io::duplex(64 * 1024);
        let error = McpClient::connect("silent", here).await.unwrap_err();
        assert!(matches!(&error, McpError::Timeout { server, .. } if server == "silent"), "{error:?}");
    });
}

#[test]
fn a_server_that_leaves_at_once_is_not_connected() {
    block_on(async {
        let (here, there) = tokio::io::duplex(64);
        drop(there);
        let error = McpClient::connect("gone", here).await.unwrap_err();
        assert!(matches!(&error, McpError::Connect { server, .. } if server == "gone"), "{error:?}");
        assert!(std::error::Error::source(&error).is_some());
    });
}
