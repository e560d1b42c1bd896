//! Approvals of an agent's tools over HTTP: the server's key and the caller's identity count.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use agui_runtime::mcp::McpServer;
use agui_runtime::{InterruptKey, Server};
use axum::middleware::from_fn;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::http::{http_transport, identify};
use crate::served_asking::{Cashier, Till, accepted, again, asked, connected};
use crate::shop::Customer;
use crate::wired::{Client, block_on};

/// A server that knows its callers, with this secret; dropping the sender ends the server.
async fn serving(till: &Till, secret: u8) -> (SocketAddr, oneshot::Sender<()>) {
    let cashier = Arc::new(Cashier::new(Arc::clone(till)));
    let server = Server::new()
        .mcp("/mcp", McpServer::shared(&cashier).client_asks_user())
        .dyn_agent("/", cashier)
        .interrupt_key(InterruptKey::new([secret; 32]).unwrap())
        .identity(|who: &Customer| who.0.clone())
        .layer(from_fn(identify));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let served = server.serve_on(listener, async { stopped.await.unwrap_or(()) });
    tokio::spawn(async move { served.await.unwrap() });
    (address, stop)
}

async fn client(address: SocketAddr, user: &str) -> Client {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{address}/mcp"));
    connected(http_transport(config.auth_header(user)), true).await
}

#[test]
fn one_users_approval_is_no_other_users() {
    block_on(async {
        let till = Till::default();
        let (address, _stop) = serving(&till, 1).await;
        let (ada, bob) = (client(address, "Ada").await, client(address, "Bob").await);
        let state = asked(&ada, 500).await.request_state.unwrap();
        let (text, failed) = again(&bob, 500, &state, accepted(true)).await;
        assert!(failed && till.load(Ordering::SeqCst) == 0, "{text}");
        assert_eq!(again(&ada, 500, &state, accepted(true)).await, ("500".to_owned(), false));
    });
}

#[test]
fn the_servers_own_key_signs_approvals() {
    block_on(async {
        let till = Till::default();
        let (first, _first) = serving(&till, 1).await;
        let (same_key, _same) = serving(&till, 1).await;
        let (other_key, _other) = serving(&till, 2).await;
        let state = asked(&client(first, "Ada").await, 500).await.request_state.unwrap();
        let (text, failed) = again(&client(other_key, "Ada").await, 500, &state, accepted(true)).await;
        assert!(failed && till.load(Ordering::SeqCst) == 0, "{text}");
        let ada = client(same_key, "Ada").await;
        assert_eq!(again(&ada, 500, &state, accepted(true)).await, ("500".to_owned(), false));
    });
}
