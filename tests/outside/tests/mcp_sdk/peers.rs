//! Servers on the SDKs of Python and Rust, of the generation before ours and of ours, through whole runs of an agent.

use std::process::Stdio;

use agui_runtime::mcp::{McpClient, McpError};
use agui_runtime::protocol::Content;
use agui_tests::need;
use agui_tests::outside::McpPeer;
use serde_json::{Value, json};

use crate::everything::{block_on, call};

async fn said(server: &McpClient, tool: &str, arguments: Value) -> (String, bool) {
    let (content, failed): (Content, bool) = call(server, tool, arguments).await;
    (content.text().into_owned(), failed)
}

/// Calls the tools of `mcp_server.py`, whose results come as text and as structure. The model reads each once.
async fn converse(name: &str, server: &McpClient) {
    let mut names: Vec<_> = server.tools().await.unwrap().iter().map(|tool| tool.name().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["count", "fail", "greet", "price", "shelf", "stock"], "{name}");
    assert_eq!(said(server, "price", json!({ "name": "rice" })).await, ("40".to_owned(), false), "{name}");
    assert_eq!(
        said(server, "greet", json!({ "name": "Ada" })).await,
        ("Hello, Ada!".to_owned(), false),
        "{name}"
    );
    for (tool, words) in [("shelf", ["rice", "salt"]), ("stock", ["\"rice\"", "\"salt\""])] {
        let (text, failed) = said(server, tool, json!({})).await;
        let is_once = words.iter().all(|word| text.matches(word).count() == 1);
        assert!(!failed && is_once, "{name}: {tool}: {text}");
    }
    let (text, failed) = said(server, "fail", json!({})).await;
    assert!(failed && ["sold out", "fail"].iter().any(|part| text.contains(part)), "{name}: {text}");
}

/// Starts a server as a process, twice.
async fn spawned(peer: &McpPeer) -> McpClient {
    let connect = || {
        let mut command = peer.command(&["stdio"]);
        command.stderr(Stdio::null());
        McpClient::command(command.into())
    };
    connect().await.unwrap_or_else(|error| panic!("{}: {error:?}", peer.name)).close().await;
    let start = std::time::Instant::now();
    let server = connect().await.unwrap();
    println!("{}: {:?} for a server that is known", peer.name, start.elapsed());
    server
}

/// Calls the counter over HTTP, starts the server again, and calls it again: no call is made twice.
async fn restarted(peer: &McpPeer, converse: impl AsyncFn(&McpClient)) {
    let first = peer.over_http("http", None);
    let url = first.url().to_owned();
    let server = McpClient::http(format!("{url}/mcp")).await.unwrap();
    converse(&server).await;
    for expected in ["1", "2"] {
        assert_eq!(said(&server, "count", json!({})).await, (expected.to_owned(), false), "{}", peer.name);
    }
    drop(first);
    let (_, port) = url.rsplit_once(':').unwrap();
    let _second = peer.over_http("http", Some(port));
    for expected in ["1", "2"] {
        assert_eq!(said(&server, "count", json!({})).await, (expected.to_owned(), false), "{}", peer.name);
    }
}

#[test]
fn python_of_the_older_generation() {
    let peer = need!(McpPeer::older_python());
    block_on(async {
        let server = spawned(&peer).await;
        assert!(server.protocol_version().as_str() < "2025-06-18", "{}", server.protocol_version());
        converse(peer.name, &server).await;
        server.close().await;
        restarted(&peer, async |server| converse(peer.name, server).await).await;
    });
}

#[test]
fn python_of_our_generation() {
    let peers = need!(McpPeer::newer_python());
    block_on(async {
        for peer in peers {
            let server = spawned(&peer).await;
            assert_eq!(server.protocol_version(), "2026-07-28", "{}", peer.name);
            converse(peer.name, &server).await;
            server.close().await;
            restarted(&peer, async |server| converse(peer.name, server).await).await;
        }
    });
}

#[test]
fn a_redirect_of_a_server_in_python_is_followed() {
    let peer = need!(McpPeer::older_python());
    let running = peer.over_http("http", None);
    block_on(async {
        let server = McpClient::http(format!("{}/mcp/", running.url())).await.unwrap();
        assert_eq!(said(&server, "price", json!({ "name": "salt" })).await, ("40".to_owned(), false));
    });
}

#[test]
fn a_server_with_only_the_transport_of_2024_is_named() {
    let peer = need!(McpPeer::older_python());
    let running = peer.over_http("sse", None);
    block_on(async {
        let error = McpClient::http(format!("{}/sse", running.url())).await.unwrap_err();
        let is_named = error.to_string().contains("HTTP+SSE of 2024-11-05");
        assert!(matches!(error, McpError::Connect { .. }) && is_named, "{error:?}");
    });
}

#[test]
fn rust_of_the_older_generation() {
    let peer = McpPeer::older_rust();
    block_on(async {
        let server = spawned(&peer).await;
        assert!(server.protocol_version().as_str() <= "2025-11-25", "{}", server.protocol_version());
        assert_eq!(said(&server, "count", json!({})).await, ("1".to_owned(), false));
        server.close().await;
        restarted(&peer, async |_| {}).await;
    });
}
