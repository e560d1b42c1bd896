//! The other protocols: WebSockets, MCP, A2A, CopilotKit, webhooks, logs and traces.

use std::fmt::Write as _;

use agui_runtime::a2a::A2aServer;
use agui_runtime::mcp::McpServer;
use agui_runtime::thread::Memory;
use agui_runtime::{InterruptKey, RunOptions, Server, testing};
use agui_tests::http::Request;
use agui_tests::log::Log;
use agui_tests::stored::Served;
use agui_tests::webhooks::{Receiver, webhooks_to};
use futures::{SinkExt as _, StreamExt as _};
use http::HeaderValue;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tracing::Level;

use crate::desk::{NAME, Seen, WISHES, assert_text_shut, file, input, said};
use crate::stored::asking;

#[tokio::test]
async fn a_socket_has_nothing_of_a_private_call() {
    for wish in ["read", "both", "fail"] {
        let seen = Seen::default();
        let server = Server::new().threads(Memory::new()).websocket().agent("/", seen.desk());
        let served = Served::start(server).await;
        let mut request = format!("ws://{}/agui/ws", served.address).into_client_request().unwrap();
        let protocol = HeaderValue::from_static("agui-runtime.v1");
        request.headers_mut().insert("sec-websocket-protocol", protocol);
        let stream = TcpStream::connect(served.address).await.unwrap();
        let (mut socket, _) = client_async(request, stream).await.unwrap();
        let run = json!({ "type": "run", "id": "1", "path": "/", "input": asking("r", wish) });
        socket.send(Message::text(run.to_string())).await.unwrap();
        let mut frames = String::new();
        while !frames.contains(r#""type":"end""#) {
            let frame = socket.next().await.unwrap().unwrap();
            writeln!(frames, "{}", frame.to_text().unwrap_or_default()).unwrap();
        }
        assert!(frames.contains("RUN_FINISHED"), "{frames}");
        assert_text_shut(&frames);
        assert!(!seen.private().is_empty());
        drop(socket);
        served.close().await;
    }
}

#[tokio::test]
async fn webhooks_have_nothing_of_a_private_call() {
    let receiver = Receiver::default();
    let to = receiver.open(&[]).await;
    let server = Server::new().threads(Memory::new()).webhooks(webhooks_to(format!("http://{to}/ended")));
    let served = Served::start(server.agent("/", Seen::default().desk())).await;
    for (number, wish) in ["read", "both", "fail", "fatal"].into_iter().enumerate() {
        let run = format!("r-{number}");
        Request::run("/", asking(&run, wish).to_string()).send(served.address).await;
        let sent = receiver.messages(number + 1).await.pop().unwrap();
        assert_text_shut(&sent.body);
    }
    served.close().await;
}

#[tokio::test]
async fn a2a_clients_get_nothing_of_a_private_call() {
    let seen = Seen::default();
    let key = InterruptKey::new([1; 32]).unwrap();
    let server = Server::new().interrupt_key(key).a2a("/a2a", A2aServer::new(seen.desk()));
    let served = Served::start(server).await;
    let card = Request::new("GET", "/a2a/.well-known/agent-card.json").send(served.address).await;
    assert_eq!(card.status, 200, "{}", card.text());
    assert_text_shut(&card.body);
    for (number, wish) in ["read", "both", "fail"].into_iter().enumerate() {
        for method in ["SendMessage", "SendStreamingMessage"] {
            let message = json!({ "messageId": format!("m-{number}-{method}"), "role": "ROLE_USER",
                "parts": [{ "text": wish }] });
            let body =
                json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": { "message": message } });
            let request = Request::run("/a2a", body.to_string()).header("a2a-version", "1.0");
            let answer = request.send(served.address).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert!(answer.text().contains("I have read it."), "{}", answer.text());
            assert_text_shut(&answer.body);
            assert!(!seen.private().is_empty());
        }
    }
    let list =
        json!({ "jsonrpc": "2.0", "id": 7, "method": "ListTasks", "params": { "includeArtifacts": true } });
    let list = Request::run("/a2a", list.to_string()).header("a2a-version", "1.0").send(served.address).await;
    assert_text_shut(&list.body);
    served.close().await;
}

#[tokio::test]
async fn copilotkit_pages_get_nothing_of_a_private_call() {
    let seen = Seen::default();
    let server = Server::new().threads(Memory::new()).agent("/", seen.desk()).copilotkit("/api/copilotkit");
    let served = Served::start(server).await;
    let info = Request::new("GET", "/api/copilotkit/info").send(served.address).await;
    assert_eq!(info.status, 200, "{}", info.text());
    assert_text_shut(&info.body);
    let run = Request::run("/api/copilotkit/agent/default/run", asking("r", "both").to_string());
    let answer = run.send(served.address).await;
    assert!(answer.text().contains("RUN_FINISHED"), "{}", answer.text());
    assert_text_shut(&answer.body);
    let connect = Request::run("/api/copilotkit/agent/default/connect", asking("c", "").to_string());
    assert_text_shut(&connect.send(served.address).await.body);
    assert!(!seen.private().is_empty());
    served.close().await;
}

#[tokio::test]
async fn mcp_clients_neither_see_nor_call_a_private_tool() {
    let server = McpServer::new(Seen::default().desk());
    let described = format!("{server:?}");
    assert_text_shut(&described);
    assert!(described.contains("price"), "{described}");
    let key = InterruptKey::new([1; 32]).unwrap();
    let served = Served::start(Server::new().interrupt_key(key).mcp("/mcp", server)).await;
    let ask = |method: &str, params: Value| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        Request::run("/mcp", body.to_string())
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
    };
    let this = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" } });
    let begun = ask("initialize", this).send(served.address).await;
    assert_eq!(begun.status, 200, "{}", begun.text());
    let session = begun.header("mcp-session-id").map(str::to_owned);
    let within = |request: Request| match &session {
        Some(session) => request.header("mcp-session-id", session),
        None => request,
    };
    let list = within(ask("tools/list", json!({}))).send(served.address).await;
    assert!(list.text().contains("price"), "{}", list.text());
    assert_text_shut(&list.body);
    let call = json!({ "name": "customer_file", "arguments": { "name": "read" } });
    let called = within(ask("tools/call", call)).send(served.address).await;
    assert!(
        !called.text().contains(crate::desk::IBAN) && !called.text().contains("pays late"),
        "{}",
        called.text()
    );
    served.close().await;
}

#[tokio::test]
async fn logs_and_traces_have_nothing_of_a_private_call() {
    for wish in WISHES {
        for stored in [true, false] {
            let (log, _recording) = Log::record(Level::TRACE);
            let key = InterruptKey::new([1; 32]).unwrap();
            let server = Server::new().interrupt_key(key).record_content(true).reveal_errors(true);
            let server = if stored { server.threads(Memory::new()) } else { server };
            let served = Served::start(server.agent("/", Seen::default().desk())).await;
            let answer = Request::run("/", asking("r", wish).to_string()).send(served.address).await;
            assert_text_shut(&answer.body);
            served.close().await;
            let options = testing::options().record_content(true);
            let events =
                testing::run_with(Seen::default().desk(), input("r", vec![said("u", wish)]), options).await;
            assert!(!events.is_empty());
            let lines = log.take().join("\n");
            assert!(!lines.is_empty());
            // The tool's name is there, for those that look after the server.
            agui_runtime::testing::assert_private_text(&lines, crate::desk::VALUES);
        }
    }
}

/// The same with the next run's prompt, which has the call of the run before.
#[tokio::test]
async fn a_later_prompt_is_traced_without_private_calls() {
    let (log, _recording) = Log::record(Level::TRACE);
    let seen = Seen::default();
    let server = Server::new().threads(Memory::new()).record_content(true).agent("/", seen.desk());
    let served = Served::start(server).await;
    for (run, text) in [("r-1", "read"), ("r-2", "hello")] {
        Request::run("/", asking(run, text).to_string()).send(served.address).await;
    }
    assert_eq!(seen.private(), [file()]);
    served.close().await;
    agui_runtime::testing::assert_private_text(log.take().join("\n"), crate::desk::VALUES);
    let options =
        RunOptions::default().record_content(true).interrupt_key(InterruptKey::new([1; 32]).unwrap());
    let (log, _recording) = Log::record(Level::TRACE);
    let events = testing::run_with(seen.desk(), input("r", vec![said("u", "read")]), options).await;
    let lines = log.take().join("\n");
    assert!(lines.contains("execute_tool"), "{lines}");
    assert!(!events.is_empty() && !lines.contains(NAME));
}
