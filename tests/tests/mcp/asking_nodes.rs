//! A server that needs the user's input, behind two processes on one store: the call is made again once.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use agui_runtime::mcp::McpClient;
use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::thread::Sqlite;
use agui_runtime::{InterruptKey, Server};
use agui_tests::folder::Folder;
use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use crate::asking::Asker;
use crate::wired::{PATIENCE, block_on};

const STORE: &str = "AGUI_MCP_ASKING_STORE";
const SHOP: &str = "AGUI_MCP_ASKING_SHOP";

/// Orders, with the tools of a server.
#[agent]
async fn buyer(run: &mut Run<Buyer>, _: Input<Buyer>, model: &Model, shop: &McpClient) -> Result<(), Stop> {
    run.chat(model).tools(shop.tools().await?).await
}

/// Orders once, and says the result.
fn model() -> Model {
    let model = ScriptedModel::from_fn(|prompt: &Prompt| match prompt.last_results().last() {
        None => Reply::call("order", json!({ "item": "rice" })),
        Some(result) => Reply::text(format!("Ordered: {}", result.content.text())),
    });
    model.into()
}

/// One node, if this process was started as one.
#[test]
fn as_a_node() {
    let Some(store) = std::env::var_os(STORE).map(PathBuf::from) else { return };
    let shop = std::env::var(SHOP).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let shop = McpClient::http(shop.as_str()).await.unwrap();
        let server = Server::new()
            .threads(Sqlite::open(&store).unwrap())
            .interrupt_key(InterruptKey::new([5; 32]).unwrap())
            .agent("/", Buyer::new(model(), shop));
        server.serve().await.unwrap();
    });
}

fn start(store: &Path, shop: &str) -> ExampleServer {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "asking_nodes::as_a_node", "--nocapture"]).env(STORE, store).env(SHOP, shop);
    ExampleServer::spawn("a node", command, PATIENCE).unwrap()
}

fn address(server: &ExampleServer) -> SocketAddr {
    server.url().strip_prefix("http://").unwrap().parse().unwrap()
}

/// Serves the shop over HTTP; returns the address.
async fn serving(asker: &Asker) -> String {
    let (asker, sessions) = (asker.clone(), Arc::<LocalSessionManager>::default());
    let config = StreamableHttpServerConfig::default();
    let service = StreamableHttpService::new(move || Ok(asker.clone()), sessions, config);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().nest_service("/mcp", service);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/mcp")
}

fn input(run: &str, messages: &Value) -> Value {
    json!({ "threadId": "t", "runId": run, "protocolVersion": "1.0", "messages": messages })
}

/// The events of a stored run, without their ids.
fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|event| serde_json::from_str(event).unwrap()).collect()
}

#[test]
fn two_nodes_that_get_one_answer_make_the_call_again_once() {
    block_on(async {
        let asker = Asker::default();
        let shop = serving(&asker).await;
        let folder = Folder::new("mcp-asking-nodes");
        let store = folder.0.join("threads.db");
        let nodes = [start(&store, &shop), start(&store, &shop)].map(|node| (address(&node), node));

        let said = json!([{ "id": "u-1", "role": "user", "content": "Rice." }]);
        let first = Request::run("/", input("run-1", &said).to_string()).send(nodes[0].0).await;
        let first = events(first.text());
        let end = first.last().unwrap();
        assert_eq!(end["outcome"]["type"], "interrupt", "{first:#?}");
        let question = &end["outcome"]["interrupts"][0];
        assert_eq!(asker.count(), 1);

        let entry =
            json!({ "interruptId": question["id"], "status": "resolved", "payload": { "street": "Main" } });
        let start = first.iter().find(|event| event["type"] == "TOOL_CALL_START").unwrap();
        let call = json!({
            "id": start["toolCallId"], "type": "function",
            "function": { "name": "order", "arguments": r#"{"item":"rice"}"# },
        });
        let messages = json!([said[0], {
            "id": start["parentMessageId"], "role": "assistant", "toolCalls": [call],
        }]);
        let resume = |run: &str| {
            let mut input = input(run, &messages);
            input["resume"] = json!([entry]);
            Request::run("/", input.to_string())
        };
        let (here, there) = (resume("run-2"), resume("run-3"));
        let (here, there) = tokio::join!(here.send(nodes[0].0), there.send(nodes[1].0));
        let texts = [here.text().to_owned(), there.text().to_owned()];
        let ordered: Vec<_> = texts.iter().filter(|text| text.contains("opaque/1")).collect();
        assert_eq!((asker.count(), ordered.len()), (2, 1), "{texts:#?}");

        // Later, on each node.
        for (at, (address, _)) in nodes.iter().enumerate() {
            let again = resume(&format!("later-{at}")).send(*address).await;
            assert!(again.text().contains("interrupt_not_open"), "{}", again.text());
        }
        assert_eq!(asker.count(), 2);
    });
}
