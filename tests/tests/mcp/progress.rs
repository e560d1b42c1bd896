//! The progress of calls, for clients that ask for it.

use std::sync::{Arc, Mutex};

use agui_runtime::mcp::McpServer;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::tools::Progress;
use rmcp::model::{ClientConfig, ProgressNotificationParam};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, RoleClient};
use serde_json::{Value, json};

use crate::shop::{Shop, Waiting};
use crate::wired::{block_on, client_config, lifecycles, said, until};

/// Keeps the progress that comes. rmcp's client sends a token with each request.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        client_config()
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.lock().unwrap().push(progress);
    }
}

/// Calls a tool; returns its text and the progress, in the order in which it came.
async fn reported(
    server: McpServer,
    lifecycle: ClientLifecycleMode,
    tool: &str,
    arguments: Value,
    count: usize,
) -> (String, Vec<Value>) {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(server.serve(there));
    let listener = Listener::default();
    let client = listener.clone().serve_with_lifecycle(here, lifecycle).await.unwrap();
    let params = rmcp::model::CallToolRequestParams::new(tool.to_owned());
    let Value::Object(arguments) = arguments else { panic!("{arguments}") };
    let result = client.call_tool(params.with_arguments(arguments)).await.unwrap();
    // Notifications have tasks of their own at the client.
    until(|| listener.0.lock().unwrap().len() >= count).await;
    let mut progress: Vec<_> =
        listener.0.lock().unwrap().iter().map(|report| serde_json::to_value(report).unwrap()).collect();
    let tokens: std::collections::HashSet<_> =
        progress.iter().map(|report| report["progressToken"].to_string()).collect();
    assert!(tokens.len() <= 1, "one call, one token: {progress:?}");
    progress.iter_mut().for_each(|report| drop(report.as_object_mut().unwrap().remove("progressToken")));
    progress.sort_by(|one, other| {
        one["progress"].as_f64().unwrap().total_cmp(&other["progress"].as_f64().unwrap())
    });
    (said(&result).0, progress)
}

fn shop() -> McpServer {
    McpServer::new(Shop::new(Waiting::default()))
}

#[test]
fn a_report_reaches_the_client_unless_it_does_not_grow() {
    block_on(async {
        for lifecycle in lifecycles() {
            let (text, progress) = reported(shop(), lifecycle, "bake", json!({}), 2).await;
            assert_eq!(text, "bread");
            let half = json!({ "progress": 1.0, "total": 3.0, "message": "kneaded" });
            assert_eq!(progress, [half, json!({ "progress": 2.5, "total": 3.0 })]);
        }
    });
}

#[test]
fn each_item_of_a_streamed_result_counts_one() {
    block_on(async {
        for lifecycle in lifecycles() {
            let (text, progress) = reported(shop(), lifecycle, "shelves", json!({ "count": 3 }), 3).await;
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().len(), 3);
            let line = |count: u32| {
                let item = json!({ "item": "shelf", "count": count }).to_string();
                json!({ "progress": f64::from(count), "message": item })
            };
            assert_eq!(progress, [line(1), line(2), line(3)]);
        }
    });
}

/// Works, and tells how far it is.
#[tool]
async fn work(run: &Emit, call: &ToolCtx) -> u32 {
    run.progress(call, Progress::new(9.0)).await;
    7
}

/// Has work done.
#[agent(tools = [work])]
async fn worker(run: &mut Run<Worker>, _: Input<Worker>, model: &Model) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// Has a worker.
#[agent(tools = [Worker])]
async fn boss(_: &mut Run<Boss>, _: Input<Boss>, worker: &Arc<Worker>) -> Result<(), Stop> {
    let _ = worker;
    Ok(())
}

/// Its unit means nothing to the client, which called the agent.
#[test]
fn the_progress_of_a_call_below_a_called_agent_is_not_that_of_the_call() {
    block_on(async {
        let [_, modern] = lifecycles();
        let model = ScriptedModel::new([Reply::call("work", "{}"), Reply::text("It is done.")]);
        let server = McpServer::new(Boss::new(Arc::new(Worker::new(model.into()))));
        let task = json!({ "task": "Work." });
        let (text, progress) = reported(server, modern, "worker", task, 0).await;
        assert_eq!((text.as_str(), progress), ("It is done.", vec![]));
    });
}

#[test]
fn a_client_without_a_token_gets_no_progress() {
    use agui_tests::http::Request;
    use tokio::net::TcpListener;
    block_on(async {
        let router = agui_runtime::Server::new().mcp("/mcp", shop()).router().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        for (meta, notifications) in [(json!({}), 0), (json!({ "progressToken": "mine" }), 2)] {
            let params = json!({ "name": "bake", "arguments": {}, "_meta": meta });
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            let answer = Request::new("POST", "/mcp")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", "2025-11-25")
                .body(body.to_string())
                .send(address)
                .await;
            let text = answer.text();
            assert_eq!(text.matches("notifications/progress").count(), notifications, "{text}");
            assert_eq!(text.matches(r#""progressToken":"mine""#).count(), notifications, "{text}");
            assert!(text.contains("bread"), "{text}");
        }
    });
}
