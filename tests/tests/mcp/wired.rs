//! Two ends in one process, and runs of an agent that has the tools of a server.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpServer};
use agui_runtime::model::{DynTool, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::{RunOptions, testing};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ContentBlock, Implementation,
    ProtocolVersion,
};
use rmcp::service::{RunningService, ServiceError};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServerHandler, ServiceExt};
use serde_json::Value;

/// The limit of everything that must not hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a test on a runtime of its own, and fails if it hangs.
pub(crate) fn block_on<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await.expect("it hangs") })
}

pub(crate) type Client = RunningService<RoleClient, ClientConfig>;

/// Both versions of the protocol that are in use.
pub(crate) fn lifecycles() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

pub(crate) fn client_config() -> ClientConfig {
    let this = Implementation::new("tests", "1");
    ClientConfig::new(ClientCapabilities::default(), this)
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
}

/// Serves, and connects rmcp's client.
pub(crate) async fn rmcp_client(server: McpServer, lifecycle: ClientLifecycleMode) -> Client {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(server.serve(there));
    client_config().serve_with_lifecycle(here, lifecycle).await.unwrap()
}

/// Serves with rmcp, and connects our client.
pub(crate) async fn our_client(server: impl ServerHandler) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move { server.serve(there).await.unwrap().waiting().await });
    McpClient::connect("odd", here).await.unwrap()
}

pub(crate) async fn call(
    client: &Client,
    tool: &str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let mut params = CallToolRequestParams::new(tool.to_owned());
    if let Value::Object(arguments) = arguments {
        params = params.with_arguments(arguments);
    }
    client.call_tool(params).await
}

/// The text of a result, and true if it is an error.
pub(crate) fn said(result: &CallToolResult) -> (String, bool) {
    let text = |block: &ContentBlock| block.as_text().map_or("?".to_owned(), |text| text.text.clone());
    let texts: Vec<_> = result.content.iter().map(text).collect();
    (texts.join("|"), result.is_error == Some(true))
}

/// Has the tools of a server.
#[agent]
pub(crate) async fn clerk(
    run: &mut Run<Clerk>,
    _: Input<Clerk>,
    model: &Model,
    server: &McpClient,
) -> Result<(), Stop> {
    run.chat(model).tools(server.tools().await?).await
}

/// Some tools.
struct Tools(Vec<DynTool<'static>>);

/// Has the tools that it was given.
#[agent]
async fn chooser(
    run: &mut Run<Chooser>,
    _: Input<Chooser>,
    model: &Model,
    tools: &Tools,
) -> Result<(), Stop> {
    run.chat(model).tools(tools.0.clone()).await
}

/// Calls one of the tools through a run, and returns what the model read.
pub(crate) async fn through_tools(
    tools: Vec<DynTool<'static>>,
    tool: &str,
    arguments: Value,
) -> (String, bool) {
    let model = Arc::new(ScriptedModel::new([Reply::call(tool, arguments), Reply::text("Done.")]));
    let chooser = Chooser::new(Arc::clone(&model).into(), Tools(tools));
    finished(testing::run_with(chooser, testing::input("Rice?"), RunOptions::default()).await, &model)
        .results()
        .remove(0)
}

/// A run that must not fail.
fn finished(events: Vec<Event>, model: &ScriptedModel) -> Talk {
    let talk = Talk { events, prompts: model.prompts() };
    assert!(talk.lines().contains("RUN_FINISHED"), "{}", talk.lines());
    talk
}

/// A run of the clerk.
pub(crate) struct Talk {
    pub(crate) events: Vec<Event>,
    pub(crate) prompts: Vec<Prompt>,
}

impl Talk {
    pub(crate) fn lines(&self) -> String {
        testing::lines(&self.events)
    }

    /// The results that the model read last, and true for those that failed.
    pub(crate) fn results(&self) -> Vec<(String, bool)> {
        let Some(PromptMessage::Tools(answers)) =
            self.prompts.last().and_then(|prompt| prompt.messages.last())
        else {
            panic!("{}", self.lines())
        };
        answers.iter().map(|answer| (answer.content.text().into_owned(), answer.failed)).collect()
    }
}

/// Runs the clerk over a script, and fails if the run fails.
pub(crate) async fn talk(server: McpClient, script: impl Into<Vec<Reply>>) -> Talk {
    let model = Arc::new(ScriptedModel::new(script.into()));
    let clerk = Clerk::new(Arc::clone(&model).into(), server);
    let events = testing::run_with(clerk, testing::input("Rice?"), RunOptions::default()).await;
    finished(events, &model)
}

/// Calls one tool through a run, and returns what the model read.
pub(crate) async fn through(server: &McpClient, tool: &str, arguments: Value) -> (String, bool) {
    let script = [Reply::call(tool, arguments), Reply::text("Done.")];
    let talk = talk(server.clone(), script).await;
    talk.results().remove(0)
}

/// Waits until something is true.
pub(crate) async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
