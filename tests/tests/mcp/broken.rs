//! Servers that break the protocol, written by hand, line by line.

use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpError};
use agui_runtime::model::Reply;
use agui_tests::log::Log;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

use crate::wired::{block_on, through};

/// The answer of a server to a request: lines, and then the end of the connection or not.
enum Answer {
    Result(Value),
    Error(i32, &'static str),
    Line(&'static str),
    /// A line with the id of the request in the place of `ID`.
    Text(&'static str),
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
            Answer::Text(line) => line.replace("ID", &id.to_string()),
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
        let lists = [json!({ "tools": 7 }), json!({ "tools": null }), json!({})];
        for list in lists {
            let error = listed(move |_| Answer::Result(list.clone())).await;
            assert!(matches!(&error, McpError::Malformed { server, .. } if server == "raw"), "{error:?}");
        }
        let error = listed(|_| Answer::Error(-32000, "not today")).await;
        assert!(matches!(&error, McpError::Refused { code: -32000, message, .. } if message == "not today"));
    });
}

/// The names of the tools that a model gets of a list, and the log.
fn names_of(tools: Value) -> (Vec<String>, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (log, _recording) = Log::record(tracing::Level::WARN);
    let tools = runtime.block_on(async {
        raw(move |_| Answer::Result(json!({ "tools": tools.clone() }))).await.tools().await.unwrap()
    });
    (tools.iter().map(|tool| tool.name().to_owned()).collect(), log.take().concat())
}

#[test]
fn one_bad_tool_leaves_the_others_and_its_name_is_in_the_log() {
    let object = json!({ "type": "object" });
    let long = "x".repeat(65);
    let bad = [
        json!({ "name": "bad", "inputSchema": null }),
        json!({ "name": "bad", "inputSchema": "string" }),
        json!({ "name": "bad", "inputSchema": true }),
        json!({ "name": "bad", "inputSchema": [] }),
        json!({ "name": "bad", "inputSchema": { "type": "string" } }),
        json!({ "name": "bad", "inputSchema": { "type": "object", "properties": { "a": { "$ref": "#/$defs/None" } } } }),
        json!({ "name": "bad" }),
        json!({ "name": "bad", "description": "Has no schema." }),
        json!({ "name": ["bad"], "inputSchema": object }),
        json!({ "name": format!("bad{long}"), "inputSchema": object }),
    ];
    for tool in bad {
        let list =
            json!([{ "name": "one", "inputSchema": object }, tool, { "name": "two", "inputSchema": object }]);
        let (names, log) = names_of(list);
        assert_eq!(names, ["one", "two"], "{tool}");
        assert!(log.contains("bad") && log.contains("left out") && log.contains("raw"), "{tool}: {log}");
    }
    for nameless in [
        json!({ "inputSchema": object }),
        json!(7),
        json!(null),
        json!({ "name": "", "inputSchema": object }),
    ] {
        let (names, log) = names_of(json!([nameless, { "name": "two", "inputSchema": object }]));
        assert_eq!(names, ["two"]);
        assert!(log.contains("number 1 of the list") || log.contains("tool="), "{nameless}: {log}");
    }
    let (names, log) =
        names_of(json!([{ "name": "one", "inputSchema": object }, { "name": "one", "inputSchema": object }]));
    assert_eq!(names, ["one"]);
    assert!(log.contains("one") && log.contains("left out"), "{log}");
}

#[test]
fn a_tool_does_without_optional_members_that_cannot_be_read() {
    for (member, value) in [
        ("title", json!(7)),
        ("description", json!(["text"])),
        ("annotations", json!("read only")),
        ("annotations", json!([])),
        ("annotations", json!({ "readOnlyHint": "yes" })),
        ("annotations", json!({ "title": 7 })),
        ("outputSchema", json!(true)),
        ("icons", json!("a.png")),
        ("_meta", json!(7)),
    ] {
        let (names, log) = names_of(json!([
            { "name": "odd", "inputSchema": { "type": "object" }, member: value },
            { "name": "one", "inputSchema": { "type": "object" } },
        ]));
        assert_eq!(names, ["odd", "one"], "{member}: {value}");
        assert!(log.contains("odd") && log.contains(member), "{log}");
    }
    for member in ["title", "description", "annotations", "outputSchema", "icons", "_meta"] {
        let (names, log) =
            names_of(json!([{ "name": "odd", "inputSchema": { "type": "object" }, member: null }]));
        assert_eq!((names, log.as_str()), (vec!["odd".to_owned()], ""), "{member}");
    }
}

#[test]
fn a_null_beside_the_member_that_counts_is_no_member() {
    block_on(async {
        for answer in [
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"7"}],"structuredContent":null},"error":null}"#,
            r#"{"id":ID,"error":null,"result":{"content":[{"type":"text","text":"7"}],"isError":null,"_meta":null}}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":null,"structuredContent":7}}"#,
        ] {
            let server =
                raw(move |method| if method == "tools/list" { one_tool() } else { Answer::Text(answer) })
                    .await;
            assert_eq!(through(&server, "go", json!({})).await, ("7".to_owned(), false), "{answer}");
        }
        for answer in [
            r#"{"jsonrpc":"2.0","id":ID,"result":null,"error":{"code":-32000,"message":"sold out"}}"#,
            r#"{"jsonrpc":"2.0","id":ID,"error":"sold out"}"#,
            r#"{"jsonrpc":"2.0","id":ID,"error":{"message":"sold out"}}"#,
        ] {
            let server =
                raw(move |method| if method == "tools/list" { one_tool() } else { Answer::Text(answer) })
                    .await;
            let (text, failed) = through(&server, "go", json!({})).await;
            assert!(failed && text.contains("sold out"), "{answer}: {text}");
        }
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
fn a_server_that_asks_for_the_same_call_for_ever_or_makes_a_task_fails_the_call() {
    block_on(async {
        let rows = [
            (
                json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "a" }),
                "asks for the same call again and again",
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

/// Responses to requests that were never sent, and notifications about calls that do not run.
#[test]
fn messages_that_belong_to_no_request_change_nothing() {
    const UNINVITED: &str = concat!(
        r#"{"jsonrpc":"2.0","id":999999,"result":{"content":[{"type":"text","text":"evil"}]}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":"mine","error":{"code":-32000,"message":"evil"}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":999999,"progress":1,"message":"evil"}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"good"}]}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"evil"}]}}"#,
    );
    block_on(async {
        let server = raw(|method| match method {
            "tools/list" => one_tool(),
            _ => Answer::Text(UNINVITED),
        })
        .await;
        for _ in 0..2 {
            let talk =
                crate::wired::talk(server.clone(), [Reply::call("go", json!({})), Reply::text("Done.")])
                    .await;
            assert_eq!(talk.results(), [("good".to_owned(), false)]);
            assert!(!talk.lines().contains("evil"), "{}", talk.lines());
        }
    });
}
