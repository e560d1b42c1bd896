//! Servers of the older generation, which a question of the newer one ends, silences or confuses.

use std::time::{Duration, Instant};

use agui_runtime::mcp::{McpClient, McpError, McpGeneration};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::raw_http::{RawServer, answer, error, events, plain, with_header};
use crate::wired::{block_on, through};

#[cfg(unix)]
mod processes {
    use std::path::PathBuf;

    use tokio::process::Command;

    use super::*;

    /// A server that does something at the first question, and writes a line into a file at each start.
    struct Server {
        script: String,
        starts: PathBuf,
    }

    const ANSWERS: &str = r#"
        answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
        while read -r line; do
            id=${line#*\"id\":}; id=${id%%[,\}]*}
            case $line in
                *server/discover*) DISCOVER ;;
                *\"initialize\"*) INITIALIZE
                    answer '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}' ;;
                *tools/list*) answer '{"tools":[{"name":"go","inputSchema":{"type":"object"}}]}' ;;
                *tools/call*) answer '{"content":[{"type":"text","text":"gone"}]}' ;;
            esac
        done
    "#;

    impl Server {
        fn new(name: &str, discover: &str, initialize: &str) -> Self {
            let starts = std::env::temp_dir().join(format!("agui-mcp-{name}-{}", std::process::id()));
            let script = ANSWERS.replace("DISCOVER", discover).replace("INITIALIZE", initialize);
            Self { script: format!("echo start >> {}\n{script}", starts.display()), starts }
        }

        fn command(&self) -> Command {
            let mut command = Command::new("sh");
            command.arg("-c").arg(&self.script);
            command
        }

        fn starts(&self) -> usize {
            std::fs::read_to_string(&self.starts).unwrap_or_default().lines().count()
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            drop(std::fs::remove_file(&self.starts));
        }
    }

    /// The SDKs of Python before 1.9 end at the next line after a question that they do not know; others end at once, with an
    /// error that has no id or another one.
    #[test]
    fn a_server_that_the_first_question_ends_is_started_again() {
        let ends = [
            ("exit", "exit 1"),
            ("wait", "read -r line; exit 1"),
            (
                "answer",
                r#"printf '{"jsonrpc":"2.0","id":"none","error":{"code":-32600,"message":"no"}}\n'; exit 1"#,
            ),
            ("result", "answer '{\"tools\":[]}'"),
            ("close", "exec >&-; sleep 60"),
        ];
        for (name, end) in ends {
            block_on(async {
                let server = Server::new(name, end, "");
                let client = McpClient::command(server.command()).await.unwrap();
                assert_eq!(client.protocol_version(), "2024-11-05", "{name}");
                assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false), "{name}");
                assert_eq!(server.starts(), 2, "{name}");
                client.close().await;
                // The program knows the server now.
                let client = McpClient::command(server.command()).await.unwrap();
                assert_eq!(client.tools().await.unwrap().len(), 1, "{name}");
                assert_eq!(server.starts(), 3, "{name}");
                client.close().await;
            });
        }
    }

    /// As a server that was upgraded, or that describes itself anew at each start.
    #[test]
    fn a_known_server_with_another_version_is_connected() {
        block_on(async {
            let mut server = Server::new("upgraded", "exit 1", "");
            server.script = server.script.replace(r#""version":"1""#, r#""version":"'$$'""#);
            for starts in [2, 5, 8] {
                let client = McpClient::command(server.command()).await.unwrap();
                assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
                assert_eq!(server.starts(), starts);
                client.close().await;
            }
        });
    }

    #[test]
    fn a_server_that_refuses_the_first_question_is_started_once() {
        block_on(async {
            let refuse = r#"printf '{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}\n'"#;
            let server = Server::new("refuse", refuse, "");
            let client = McpClient::command(server.command()).await.unwrap();
            assert_eq!(client.tools().await.unwrap().len(), 1);
            assert_eq!(server.starts(), 1);
            client.close().await;
        });
    }

    #[test]
    fn a_server_that_ends_after_its_refusal_is_started_again() {
        block_on(async {
            let refuse = r#"asked=1; printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id""#;
            let server = Server::new("later", refuse, r#"[ -z "$asked" ] || exit 1"#);
            let client = McpClient::command(server.command()).await.unwrap();
            assert_eq!(client.tools().await.unwrap().len(), 1);
            assert_eq!(server.starts(), 2);
            client.close().await;
        });
    }

    #[test]
    fn the_user_says_which_generation_a_server_speaks() {
        block_on(async {
            let server = Server::new("said", "exit 1", "");
            let client =
                McpClient::command(server.command()).generation(McpGeneration::Handshake).await.unwrap();
            assert_eq!((client.tools().await.unwrap().len(), server.starts()), (1, 1));
            client.close().await;
            let other = Server::new("wrong", "exit 1", "");
            let wrong = McpClient::command(other.command()).generation(McpGeneration::Discover).await;
            assert!(matches!(wrong, Err(McpError::Connect { .. })), "{wrong:?}");
            assert_eq!(other.starts(), 1);
        });
    }

    #[test]
    fn a_server_that_always_ends_is_started_twice_and_the_error_has_both_reasons() {
        block_on(async {
            let server = Server::new("never", "exit 1", "exit 1");
            let error = McpClient::command(server.command()).await.unwrap_err();
            let McpError::Connect { source, .. } = &error else { panic!("{error:?}") };
            let text = source.to_string();
            assert!(text.contains("initialize response") && text.contains("discover response"), "{text}");
            assert_eq!(server.starts(), 2);
        });
    }
}

#[test]
fn over_http_each_failure_of_the_first_question_falls_back() {
    for status in [200_u16, 202, 204, 400, 404, 405, 406, 415, 422, 500, 501, 502, 503] {
        for body in ["", "no", "{}", r#"{"detail":"no"}"#] {
            block_on(async {
                let server = RawServer::serve(move |asked| match asked.what() {
                    "server/discover" if body.starts_with('{') => {
                        with_header(plain(status, body), "content-type", "application/json")
                    }
                    "server/discover" => plain(status, body),
                    _ => asked.usual(),
                })
                .await;
                let client = server.client().await;
                assert_eq!(client.protocol_version(), "2025-06-18", "{status} {body}");
                assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
                drop(server.client().await);
                assert_eq!(server.asked.count("server/discover"), 1, "{status} {body}: it is remembered");
            });
        }
    }
}

#[test]
fn over_http_odd_answers_to_the_first_question_fall_back() {
    block_on(async {
        let server = RawServer::serve(|asked| match asked.what() {
            "server/discover" => error(200, &json!("server-error"), -32600, "Unsupported"),
            _ => asked.usual(),
        })
        .await;
        assert_eq!(server.client().await.protocol_version(), "2025-06-18");
        let odd = [
            "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}\n\n",
            "data: {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n\n",
            "",
        ];
        for body in odd {
            let server = RawServer::serve(move |asked| match asked.what() {
                "server/discover" => events(body),
                _ => asked.usual(),
            })
            .await;
            assert_eq!(server.client().await.tools().await.unwrap().len(), 1, "{body}");
        }
        let versions = json!({ "supported": ["2025-06-18"], "requested": "2026-07-28" });
        let server = RawServer::serve(move |asked| match asked.what() {
            "server/discover" => answer(
                400,
                &json!({ "jsonrpc": "2.0", "id": asked.message["id"], "error": { "code": -32022, "message": "no", "data": versions } }),
            ),
            _ => asked.usual(),
        })
        .await;
        assert_eq!(server.client().await.protocol_version(), "2025-06-18");
    });
}

#[test]
fn over_http_a_closed_connection_falls_back() {
    block_on(async {
        let server = RawServer::serve(super::raw_http::Asked::usual).await;
        let (listener, target) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), server.address);
        let address = listener.local_addr().unwrap();
        // Closes each connection that brings the first question, and passes the others on.
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut head = vec![0; 64 * 1024];
                    let read = from.read(&mut head).await.unwrap_or(0);
                    let head = &head[..read];
                    if String::from_utf8_lossy(head).contains("server/discover") {
                        return;
                    }
                    let mut to = tokio::net::TcpStream::connect(target).await.unwrap();
                    to.write_all(head).await.unwrap();
                    drop(tokio::io::copy_bidirectional(&mut from, &mut to).await);
                });
            }
        });
        let client = McpClient::http(format!("http://{address}/mcp")).await.unwrap();
        assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
    });
}

#[test]
fn over_http_a_refused_user_is_not_asked_twice() {
    for status in [401_u16, 403, 429] {
        block_on(async {
            let server = RawServer::serve(move |_| plain(status, "no")).await;
            let refused = McpClient::http(server.url()).await;
            assert!(matches!(refused, Err(McpError::Connect { .. })), "{refused:?}");
            assert_eq!(server.asked.all().iter().filter(|asked| asked.method == "POST").count(), 1);
        });
    }
}

#[test]
fn the_generation_of_an_address_can_be_said() {
    block_on(async {
        let server = RawServer::serve(super::raw_http::Asked::usual).await;
        let client = McpClient::http(server.url()).generation(McpGeneration::Handshake).await.unwrap();
        assert_eq!((client.tools().await.unwrap().len(), server.asked.count("server/discover")), (1, 0));
        let wrong = McpClient::http(server.url()).generation(McpGeneration::Discover).await;
        assert!(matches!(wrong, Err(McpError::Connect { .. })), "{wrong:?}");
    });
}

#[test]
fn a_server_with_only_the_transport_of_2024_is_named() {
    block_on(async {
        let server = RawServer::serve(|asked| match asked.method.as_str() {
            "GET" => events("event: endpoint\ndata: /messages?session=1\n\n"),
            _ => plain(405, "Method Not Allowed"),
        })
        .await;
        let error = McpClient::http(server.url()).await.unwrap_err();
        assert!(
            matches!(error, McpError::Connect { .. }) && error.to_string().contains("HTTP+SSE of 2024-11-05"),
            "{error}"
        );
    });
}

#[test]
fn a_first_question_without_an_answer_does_not_wait_long() {
    // Longer than other tests have: the server is silent for nine seconds.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = RawServer::serve(|asked| match asked.what() {
            "server/discover" => {
                let silent = futures::stream::pending::<Result<String, std::io::Error>>();
                events(axum::body::Body::from_stream(silent))
            }
            _ => asked.usual(),
        })
        .await;
        let start = Instant::now();
        assert_eq!(server.client().await.tools().await.unwrap().len(), 1);
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    });
}
