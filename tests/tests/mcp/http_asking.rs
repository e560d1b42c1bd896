//! Approvals of an agent's tools over HTTP: the server's key and the caller's identity count, and one process on a store.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use agui_runtime::mcp::McpServer;
use agui_runtime::thread::Sqlite;
use agui_runtime::{InterruptKey, Server};
use agui_tests::folder::Folder;
use agui_tests::outside::ExampleServer;
use axum::middleware::from_fn;
use rmcp::model::CallToolResponse;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::http::{http_transport, identify};
use crate::office::travel;
use crate::served_agents::{asked as asked_by_agent, request as request_of_agent, resumed};
use crate::served_asking::{Cashier, Till, accepted, again, asked, connected};
use crate::shop::Customer;
use crate::wired::{Client, PATIENCE, block_on, said};

/// A server that knows its callers.
fn server(till: &Till) -> Server {
    let cashier = Arc::new(Cashier::new(Arc::clone(till)));
    Server::new()
        .mcp("/mcp", McpServer::shared(&cashier).client_asks_user())
        .mcp("/travel", McpServer::new(travel()).client_asks_user())
        .dyn_agent("/", cashier)
        .identity(|who: &Customer| who.0.clone())
        .layer(from_fn(identify))
}

/// Serves with this secret; dropping the sender ends the server.
async fn serving(till: &Till, secret: u8) -> (SocketAddr, oneshot::Sender<()>) {
    let server = server(till).interrupt_key(InterruptKey::new([secret; 32]).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let served = server.serve_on(listener, async { stopped.await.unwrap_or(()) });
    tokio::spawn(async move { served.await.unwrap() });
    (address, stop)
}

async fn client(address: SocketAddr, user: &str) -> Client {
    client_at(address, "/mcp", user).await
}

async fn client_at(address: SocketAddr, path: &str, user: &str) -> Client {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{address}{path}"));
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

fn completed(response: CallToolResponse) -> (String, bool) {
    match response {
        CallToolResponse::Complete(result) => said(&result),
        other => panic!("{other:?}"),
    }
}

/// The store of a process that is a server.
const STORE: &str = "AGUI_MCP_STORE";

/// One server without a key of its own, if this process was started as one.
#[test]
fn as_a_server() {
    let Some(store) = std::env::var_os(STORE).map(PathBuf::from) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(server(&Till::default()).threads(Sqlite::open(&store).unwrap()).serve()).unwrap();
}

fn start(store: &Path) -> ExampleServer {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "http_asking::as_a_server", "--nocapture"]).env(STORE, store);
    ExampleServer::spawn("a server", command, PATIENCE).unwrap()
}

#[test]
fn an_approval_counts_once_in_all_processes_on_a_store() {
    block_on(async {
        let folder = Folder::new("mcp-approvals");
        let store = folder.0.join("threads.db");
        let servers = [start(&store), start(&store)];
        let address = |server: &ExampleServer| server.url().strip_prefix("http://").unwrap().parse().unwrap();
        let first = client(address(&servers[0]), "Ada").await;
        let second = client(address(&servers[1]), "Ada").await;
        let state = asked(&first, 500).await.request_state.unwrap();
        assert_eq!(again(&second, 500, &state, accepted(true)).await, ("500".to_owned(), false));
        let (text, failed) = again(&first, 500, &state, accepted(true)).await;
        assert!(failed && text.contains("was resumed already"), "{text}");

        let state = asked(&first, 500).await.request_state.unwrap();
        let (text, failed) = again(&second, 500, &state, accepted(false)).await;
        assert!(failed && text.contains("the user refused"), "{text}");
        for later in [accepted(false), accepted(true)] {
            let (text, failed) = again(&first, 500, &state, later).await;
            assert!(failed && text.contains("was resumed already"), "{text}");
        }
    });
}

/// The question is an agent's, and names no call. A refusal continues the agent too.
#[test]
fn an_agents_question_counts_once_in_all_processes_on_a_store() {
    block_on(async {
        let folder = Folder::new("mcp-questions");
        let store = folder.0.join("threads.db");
        let servers = [start(&store), start(&store)];
        let address = |server: &ExampleServer| server.url().strip_prefix("http://").unwrap().parse().unwrap();
        let first = client_at(address(&servers[0]), "/travel", "Ada").await;
        let second = client_at(address(&servers[1]), "/travel", "Ada").await;
        let oslo = || json!({ "action": "accept", "content": { "name": "Oslo" } });
        let decline = || json!({ "action": "decline" });
        for (response, expected) in [(oslo(), "Oslo"), (decline(), "nowhere")] {
            let asked = asked_by_agent(&first, request_of_agent("guide", "Go.")).await;
            let state = asked.request_state.unwrap();
            let again =
                |response: &Value| resumed(request_of_agent("guide", "Go."), &state, response.clone());
            let (here, there) =
                tokio::join!(first.call_tool_once(again(&response)), second.call_tool_once(again(&response)));
            let texts = [here, there].map(|answer| completed(answer.unwrap()));
            let count = |failed: bool, part: &str| {
                texts.iter().filter(|(text, own)| *own == failed && text.contains(part)).count()
            };
            assert_eq!((count(false, expected), count(true, "was resumed already")), (1, 1), "{texts:?}");
            for (client, later) in
                [(&first, oslo()), (&second, oslo()), (&first, decline()), (&second, decline())]
            {
                let (text, failed) = completed(client.call_tool_once(again(&later)).await.unwrap());
                assert!(failed && text.contains("was resumed already"), "{text}");
            }
        }
    });
}
