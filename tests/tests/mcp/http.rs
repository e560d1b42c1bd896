//! The server over streamable HTTP, beside an agent, and our client over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::http::InputLimits;
use agui_runtime::mcp::{McpClient, McpEndpoint, McpError, McpServer};
use agui_runtime::{Error, Limits, Server};
use agui_tests::http::{Request, Whole};
use axum::middleware::{Next, from_fn};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::shop::{Customer, Shop, Waiting};
use crate::wired::{Client, block_on, call, client_config, lifecycles, said, through, through_tools, until};

/// A server with the shop's tools at `/mcp` and the shop at `/`; dropping the sender ends it.
async fn serving(
    waiting: &Waiting,
    change: impl FnOnce(Server) -> Server,
) -> (SocketAddr, oneshot::Sender<()>) {
    serving_tools(waiting, |tools| tools, change).await
}

async fn serving_tools(
    waiting: &Waiting,
    change_tools: impl FnOnce(McpServer) -> McpServer,
    change: impl FnOnce(Server) -> Server,
) -> (SocketAddr, oneshot::Sender<()>) {
    let shop = Arc::new(Shop::new(waiting.clone()));
    let server = Server::new().mcp("/mcp", change_tools(McpServer::shared(&shop))).dyn_agent("/", shop);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let served = change(server).serve_on(listener, async { stopped.await.unwrap_or(()) });
    tokio::spawn(async move { served.await.unwrap() });
    (address, stop)
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}/mcp")
}

async fn rmcp_over_http(address: SocketAddr, lifecycle: ClientLifecycleMode) -> Client {
    let transport = http_transport(StreamableHttpClientTransportConfig::with_uri(url(address)));
    client_config().serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

pub(crate) fn http_transport(
    config: StreamableHttpClientTransportConfig,
) -> StreamableHttpClientTransport<reqwest::Client> {
    let plain =
        reqwest::Client::builder().tls_backend_preconfigured(agui_tests::tls::trusting(&[])).build().unwrap();
    StreamableHttpClientTransport::with_client(plain, config)
}

#[test]
fn rmcp_lists_and_calls_over_both_versions() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        for lifecycle in lifecycles() {
            let client = rmcp_over_http(address, lifecycle).await;
            assert_eq!(client.list_all_tools().await.unwrap().len(), 14);
            let price = call(&client, "price", json!({ "name": "rice" })).await.unwrap();
            assert_eq!(said(&price), ("180".to_owned(), false));
            let order = call(&client, "order", json!({ "lines": [{ "item": "rice" }] })).await.unwrap();
            assert_eq!(order.structured_content.unwrap()["number"], 7);
            assert!(call(&client, "prize", json!({})).await.is_err());
        }
    });
}

#[test]
fn our_client_calls_over_http_through_a_run() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server.reveal_errors(false)).await;
        let shop = McpClient::http(url(address)).await.unwrap();
        assert_eq!(shop.protocol_version(), "2026-07-28");
        assert_eq!(through(&shop, "price", json!({ "name": "salt" })).await, ("90".to_owned(), false));
        let (text, failed) = through(&shop, "bug", json!({})).await;
        assert_eq!((text.as_str(), failed), (r#"{"error":"the tool `bug` failed"}"#, true));
        shop.close().await;
    });
}

/// Takes the name in a token for the customer.
pub(crate) async fn identify(mut request: axum::extract::Request, next: Next) -> axum::response::Response {
    let token = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let name = token.and_then(|token| token.strip_prefix("Bearer ")).map(str::to_owned);
    if let Some(name) = name {
        request.extensions_mut().insert(Customer(name));
    }
    next.run(request).await
}

#[test]
fn a_tool_with_approval_runs_over_http_only_if_the_client_approves() {
    block_on(async {
        for approves in [false, true] {
            let change = |tools: McpServer| if approves { tools.client_approves() } else { tools };
            let (address, _stop) = serving_tools(&Waiting::default(), change, |server| server).await;
            for lifecycle in lifecycles() {
                let client = rmcp_over_http(address, lifecycle).await;
                let names: Vec<_> =
                    client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name).collect();
                assert_eq!(names.contains(&"refund".into()), approves, "{names:?}");
                match call(&client, "refund", json!({ "number": 7 })).await {
                    Ok(result) => assert_eq!(said(&result), ("7 is paid back".to_owned(), !approves)),
                    Err(error) => {
                        assert!(!approves && error.to_string().contains("no tool `refund`"), "{error}");
                    }
                }
            }
        }
    });
}

#[test]
fn requests_have_the_limits_of_inputs() {
    block_on(async {
        let limits = InputLimits::default().depth(6).text(50);
        let (address, _stop) = serving(&Waiting::default(), |server| server.input_limits(limits)).await;
        assert_eq!(price(address, |request| request).await.status, 200);
        let deep = json!({ "name": "price", "arguments": { "name": [[[[[1]]]]] } });
        let long = json!({ "name": "price", "arguments": { "name": "x".repeat(51) } });
        for (params, status, code) in [(deep, 422, "too_deep"), (long, 413, "text_too_long")] {
            let answer = post(&params).send(address).await;
            assert_eq!((answer.status, answer.json()["error"]["code"].clone()), (status, json!(code)));
        }
    });
}

#[test]
fn calls_are_limited_per_identity() {
    block_on(async {
        let waiting = Waiting::default();
        let (address, _stop) = serving(&waiting, |server| {
            server
                .identity(|who: &Customer| who.0.clone())
                .limits(Limits::default().runs_per_identity(1))
                .layer(from_fn(identify))
        })
        .await;
        let of = |name: &'static str| move |request: Request| request.header("authorization", name);
        let first = of("Bearer Ada")(post(&json!({ "name": "wait", "arguments": {} }))).open(address).await;
        until(|| waiting.began() == 1).await;
        let busy = price(address, of("Bearer Ada")).await;
        assert_eq!((busy.status, busy.json()["error"]["code"].clone()), (429, json!("identity_busy")));
        assert_eq!(price(address, of("Bearer Bob")).await.status, 200, "another has places of its own");
        drop(first);
        until(|| waiting.cancelled() == 1).await;
        assert_eq!(price(address, of("Bearer Ada")).await.status, 200, "the place is free again");
    });
}

#[test]
fn a_result_above_the_limit_of_its_tool_fails_the_call() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        let client = rmcp_over_http(address, lifecycles()[1].clone()).await;
        let fits = call(&client, "long", json!({ "characters": 1000 })).await.unwrap();
        assert_eq!(said(&fits), ("x".repeat(1000), false));
        let large = call(&client, "long", json!({ "characters": 1001 })).await.unwrap();
        let why = "the result of the tool `long` has 1001 bytes, more than its limit of 1000: ask for less";
        assert_eq!(said(&large), (why.to_owned(), true));
        // The limit of the client is another: a dynamic tool has one of its own.
        let shop = McpClient::http(url(address)).await.unwrap();
        let mut tools = shop.tools().await.unwrap();
        tools.retain(|tool| tool.name() == "long");
        let tools: Vec<_> = tools.into_iter().map(|tool| tool.max_result(10)).collect();
        let read = through_tools(tools, "long", json!({ "characters": 11 })).await;
        assert!(read.1 && read.0.contains("has 11 bytes, more than its limit of 10"), "{read:?}");
    });
}

#[test]
fn a_tool_that_the_provider_cannot_take_is_left_out_by_retain() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        let shop = McpClient::http(url(address)).await.unwrap();
        let mut tools = shop.tools().await.unwrap();
        tools.retain(|tool| tool.name() != "price");
        let gone = through_tools(tools.clone(), "price", json!({ "name": "rice" })).await;
        assert!(gone.1 && gone.0.contains("there is no tool `price`"), "{gone:?}");
        let (order, failed) = through_tools(tools, "order", json!({ "lines": [{ "item": "rice" }] })).await;
        assert!(!failed && order.contains("rice"), "{order}");
    });
}

#[test]
fn a_layer_gives_tools_the_values_of_their_requests() {
    block_on(async {
        let identify = from_fn(identify);
        let (address, _stop) = serving(&Waiting::default(), |server| server.layer(identify)).await;
        let shop = McpClient::http(McpEndpoint::new(url(address)).bearer("Ada")).await.unwrap();
        let (text, _) = through(&shop, "whoami", json!({})).await;
        assert!(text.starts_with("Ada in mcp-thread-"), "{text}");
        let other = McpClient::http(url(address)).await.unwrap();
        assert!(through(&other, "whoami", json!({})).await.0.starts_with("unknown in"));
    });
}

#[test]
fn a_client_that_leaves_drops_the_tool() {
    block_on(async {
        let waiting = Waiting::default();
        let (address, _stop) = serving(&waiting, |server| server).await;
        for (done, lifecycle) in lifecycles().into_iter().enumerate() {
            let client = rmcp_over_http(address, lifecycle).await;
            let calling = tokio::spawn(async move { drop(call(&client, "wait", json!({})).await) });
            until(|| waiting.began() == done + 1).await;
            calling.abort();
            until(|| waiting.cancelled() == done + 1).await;
        }
        let shop = McpClient::http(url(address)).await.unwrap().timeout(Duration::from_millis(100));
        let (text, failed) = through(&shop, "wait", json!({})).await;
        assert!(failed && text.contains("did not answer within 100ms"), "{text}");
        until(|| waiting.cancelled() == 3).await;
    });
}

#[test]
fn calls_have_the_limits_of_the_server() {
    block_on(async {
        let waiting = Waiting::default();
        let limits = Limits::default().runs(1).run_timeout(Duration::from_millis(300)).body_size(2000);
        let (address, _stop) = serving(&waiting, |server| server.limits(limits)).await;
        let [_, modern] = lifecycles();
        let client = Arc::new(rmcp_over_http(address, modern).await);
        let first = Arc::clone(&client);
        let first = tokio::spawn(async move { said(&call(&first, "wait", json!({})).await.unwrap()) });
        until(|| waiting.began() == 1).await;
        let busy = price(address, |request| request).await;
        assert_eq!((busy.status, busy.json()["error"]["code"].clone()), (503, json!("server_busy")));
        let shop = McpClient::http(url(address)).await.unwrap_err();
        assert!(matches!(shop, McpError::Connect { .. }), "{shop:?}");
        assert_eq!(
            first.await.unwrap(),
            ("the call took longer than 300ms, and was stopped".to_owned(), true)
        );
        until(|| waiting.cancelled() == 1).await;
        // The place is free once the run is dropped, which is just after the agent is.
        let mut next = price(address, |request| request).await;
        for _ in 0..100 {
            if next.status == 200 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            next = price(address, |request| request).await;
        }
        assert_eq!(next.status, 200, "its place is free again");
        let large =
            post(&json!({ "name": "price", "arguments": { "name": "x".repeat(3000) } })).send(address).await;
        assert_eq!((large.status, large.json()["error"]["code"].clone()), (413, json!("body_too_large")));
    });
}

/// A call of the older generation, by hand.
fn post(params: &Value) -> Request {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    Request::new("POST", "/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .body(body.to_string())
}

async fn price(address: SocketAddr, change: impl FnOnce(Request) -> Request) -> Whole {
    change(post(&json!({ "name": "price", "arguments": { "name": "rice" } }))).send(address).await
}

#[test]
fn foreign_pages_and_unknown_hosts_are_refused() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        let allowed = price(address, |request| request).await;
        assert_eq!(allowed.status, 200);
        assert!(allowed.text().contains("180"), "{}", allowed.text());
        let own = price(address, |request| request.header("origin", "http://localhost:5173")).await;
        assert_eq!(own.status, 200);
        let foreign = price(address, |request| request.header("origin", "https://evil.example")).await;
        assert_eq!(
            (foreign.status, foreign.json()["error"]["code"].clone()),
            (403, json!("origin_not_allowed"))
        );
        // The name of an attacker's host, which points to this machine.
        let rebound = price(address, |request| {
            request.header("host", "evil.example").header("origin", "http://evil.example")
        })
        .await;
        assert_eq!(
            (rebound.status, rebound.json()["error"]["code"].clone()),
            (403, json!("host_not_allowed"))
        );
    });
}

#[test]
fn malformed_requests_are_refused_and_the_server_lives_on() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        let rows: [(Request, u16); 7] = [
            (Request::new("GET", "/mcp").header("accept", "text/event-stream"), 405),
            (Request::new("DELETE", "/mcp"), 405),
            (post(&json!({})).header("accept", "text/html"), 406),
            (post(&json!({})).header("content-type", "text/plain"), 415),
            (post(&json!({})).header("mcp-protocol-version", "1999-01-01"), 400),
            (post(&json!({})).body("no JSON"), 400),
            (post(&json!({})).body("[".repeat(1000)), 422),
        ];
        for (at, (request, status)) in rows.into_iter().enumerate() {
            let answer = request.send(address).await;
            assert_eq!(answer.status, status, "row {at}: {}", answer.text());
        }
        let bad = post(&json!({ "name": 7 })).send(address).await;
        assert!(bad.status >= 400 || bad.text().contains("error"), "{} {}", bad.status, bad.text());
        assert!(price(address, |request| request).await.text().contains("180"));
    });
}

#[test]
fn a_router_without_a_known_address_refuses_foreign_pages_too() {
    block_on(async {
        let shop = Arc::new(Shop::new(Waiting::default()));
        let router = Server::new().mcp("/mcp", McpServer::shared(&shop)).router().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        assert_eq!(price(address, |request| request).await.status, 200);
        for (host, origin) in [("localhost", "https://evil.example"), ("evil.example", "http://evil.example")]
        {
            let refused =
                price(address, |request| request.header("host", host).header("origin", origin)).await;
            assert_eq!(refused.status, 403, "{host} {origin}");
        }
    });
}

#[test]
fn a_page_of_any_origin_may_send_the_headers_of_the_protocol_if_all_may() {
    block_on(async {
        let (address, _stop) = serving(&Waiting::default(), Server::allow_any_origin).await;
        let preflight = Request::new("OPTIONS", "/mcp")
            .header("origin", "https://inspector.example")
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "content-type,mcp-method,mcp-name,mcp-protocol-version",
            );
        let answer = preflight.send(address).await;
        let allowed = answer.header("access-control-allow-headers").unwrap_or_default();
        for header in ["content-type", "mcp-method", "mcp-name", "mcp-protocol-version"] {
            assert!(allowed.contains(header), "{header} in {allowed}");
        }
    });
}

#[test]
fn a_server_that_stops_drops_the_tools() {
    block_on(async {
        let waiting = Waiting::default();
        let limits = Limits::default().shutdown_grace(Duration::from_millis(50));
        let (address, stop) = serving(&waiting, |server| server.limits(limits)).await;
        let shop = McpClient::http(url(address)).await.unwrap();
        let calling = tokio::spawn(async move { through(&shop, "wait", json!({})).await });
        until(|| waiting.began() == 1).await;
        drop(stop);
        until(|| waiting.cancelled() == 1).await;
        let (text, failed) = calling.await.unwrap();
        assert!(failed && text.contains("MCP server"), "{text}");
    });
}

#[test]
fn two_routes_of_one_path_are_an_error() {
    let shop = || Arc::new(Shop::new(Waiting::default()));
    let tools = || McpServer::shared(shop());
    let twice = Server::new().mcp("/mcp", tools()).mcp("/mcp", tools());
    assert!(matches!(twice.router(), Err(Error::DuplicatePath { .. })));
    let with_agent = Server::new().mcp("/", tools()).dyn_agent("/", shop());
    assert!(matches!(with_agent.router(), Err(Error::DuplicatePath { .. })));
    assert!(matches!(Server::new().mcp("mcp", tools()).router(), Err(Error::InvalidPath { .. })));
}

#[test]
fn a_token_does_not_follow_a_redirect() {
    block_on(async {
        let (seen, other) = (Waiting::default(), TcpListener::bind("127.0.0.1:0").await.unwrap());
        let target = format!("http://{}/mcp", other.local_addr().unwrap());
        let counted = seen.clone();
        let thief = axum::Router::new().fallback(move || {
            counted.begin();
            async { "thanks" }
        });
        tokio::spawn(async move { axum::serve(other, thief).await });
        let redirecting = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = redirecting.local_addr().unwrap();
        let redirect = move || async move { axum::response::Redirect::temporary(&target) };
        let server = axum::Router::new().fallback(redirect);
        tokio::spawn(async move { axum::serve(redirecting, server).await });
        let error = McpClient::http(McpEndpoint::new(url(address)).bearer("secret")).await.unwrap_err();
        assert!(matches!(error, McpError::Connect { .. }), "{error:?}");
        assert_eq!(seen.began(), 0);
    });
}

#[test]
fn a_server_that_refuses_the_client_is_not_connected() {
    block_on(async {
        for status in [401_u16, 403, 404, 429, 500] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let status = axum::http::StatusCode::from_u16(status).unwrap();
            let server = axum::Router::new().fallback(move || async move { (status, "no") });
            tokio::spawn(async move { axum::serve(listener, server).await });
            let error = McpClient::http(url(address)).await.unwrap_err();
            assert!(matches!(error, McpError::Connect { .. }), "{status}: {error:?}");
        }
    });
}

#[test]
fn a_server_that_is_not_there_or_speaks_no_mcp_is_not_connected() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let closed = listener.local_addr().unwrap();
        drop(listener);
        let gone = McpClient::http(url(closed)).await.unwrap_err();
        assert!(matches!(&gone, McpError::Connect { server, .. } if server == "127.0.0.1"), "{gone:?}");
        let (address, _stop) = serving(&Waiting::default(), |server| server).await;
        let agent = McpClient::http(format!("http://{address}/")).await.unwrap_err();
        assert!(matches!(agent, McpError::Connect { .. }), "{agent:?}");
        for wrong in ["", "no address", "ftp://a.example"] {
            assert!(matches!(McpClient::http(wrong).await, Err(McpError::Connect { .. })), "{wrong}");
        }
        let error = McpClient::http("http://user:secret@127.0.0.1:1/?key=secret").await.unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    });
}
