//! A server over HTTP that is written by hand, and counts what it is asked.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use agui_runtime::mcp::McpClient;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A request to the server.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) message: Value,
}

impl Asked {
    /// The method of the message.
    pub(crate) fn what(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.headers.get("mcp-session-id")?.to_str().ok()
    }

    /// The answer to the message.
    pub(crate) fn result(&self, result: &Value) -> Response {
        answer(200, &json!({ "jsonrpc": "2.0", "id": self.message["id"], "result": result }))
    }

    /// An error of JSON-RPC, for the message.
    pub(crate) fn error(&self, status: u16, code: i32, text: &str) -> Response {
        error(status, &self.message["id"], code, text)
    }

    /// The answers of a server of the older generation with one tool, whose calls return a text.
    pub(crate) fn usual(&self) -> Response {
        if self.method != Method::POST {
            return plain(405, "");
        }
        match self.what() {
            "server/discover" => self.error(200, -32601, "Method not found"),
            "initialize" => self.result(&json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "raw", "version": "1" },
            })),
            "tools/list" => self.result(&one_tool()),
            "tools/call" => self.result(&json!({ "content": [{ "type": "text", "text": "gone" }] })),
            "ping" => self.result(&json!({})),
            _ => plain(202, ""),
        }
    }
}

/// A list with the tool `go`.
pub(crate) fn one_tool() -> Value {
    json!({ "tools": [{ "name": "go", "description": "Goes.", "inputSchema": { "type": "object" } }] })
}

pub(crate) fn plain(status: u16, body: impl Into<Body>) -> Response {
    Response::builder().status(status).body(body.into()).unwrap()
}

pub(crate) fn answer(status: u16, body: &Value) -> Response {
    with_header(plain(status, body.to_string()), "content-type", "application/json")
}

pub(crate) fn error(status: u16, id: &Value, code: i32, text: &str) -> Response {
    answer(status, &json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } }))
}

pub(crate) fn with_header(mut response: Response, name: &'static str, value: &str) -> Response {
    response.headers_mut().insert(name, value.parse().unwrap());
    response
}

/// The requests that a server got.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<Vec<Asked>>>);

impl Requests {
    /// The number of requests with this method of MCP.
    pub(crate) fn count(&self, what: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|asked| asked.what() == what).count()
    }

    pub(crate) fn all(&self) -> Vec<Asked> {
        self.0.lock().unwrap().clone()
    }
}

/// A server that answers as the function says.
pub(crate) struct RawServer {
    pub(crate) address: SocketAddr,
    pub(crate) asked: Requests,
    /// Clients remember what an address speaks, and a port may come again.
    number: usize,
}

impl RawServer {
    pub(crate) async fn serve(reply: impl Fn(&Asked) -> Response + Clone + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (address, asked) = (listener.local_addr().unwrap(), Requests::default());
        let seen = asked.clone();
        let router = axum::Router::new().fallback(move |request: Request| {
            let (reply, seen) = (reply.clone(), seen.clone());
            async move {
                let (parts, body) = request.into_parts();
                let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
                let message = serde_json::from_slice(&body).unwrap_or_default();
                let path = parts.uri.path().to_owned();
                let asked = Asked { method: parts.method, path, headers: parts.headers, message };
                seen.0.lock().unwrap().push(asked.clone());
                reply(&asked)
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, asked, number }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp#{}", self.address, self.number)
    }

    pub(crate) async fn client(&self) -> McpClient {
        McpClient::http(self.url()).await.unwrap()
    }
}

/// An event of a stream.
pub(crate) fn events(body: impl Into<Body>) -> Response {
    with_header(plain(StatusCode::OK.as_u16(), body), "content-type", "text/event-stream")
}
