//! MCP Apps: tools whose results are shown by a server's page inside the user interface.

mod activity;
mod request;
mod tool_list;

use std::sync::Arc;

use futures_util::FutureExt;
use hmac_sha256::Hash as Sha256;
use rmcp::model::Tool;

pub use activity::McpApp;
pub use request::{AppRight, McpAppError, McpAppRequest, McpAppsProps};
pub use tool_list::McpAppToolList;

use self::activity::{is_visible, page_of};
use super::client::CallObserver;
use super::{McpClient, McpError};
use agui_runtime_core::__leaf::hex;
use agui_runtime_core::__leaf::{share_emit, start_activity};
use agui_runtime_core::Emit;
use agui_runtime_core::model::DynTool;

/// MCP servers whose tools bring pages for their results (MCP Apps, extension `io.modelcontextprotocol/ui`).
///
/// The user interface gets an activity with the result and the app's address, and loads the app through the agent. The app then
/// sends requests through the user interface and the agent, if the app has the [right](AppRight); by default an app has no rights.
///
/// ```no_run
/// use agui_runtime::mcp::{AppRight, McpApp, McpApps, McpAppsProps, McpClient};
/// use agui_runtime::model::Model;
/// use agui_runtime::prelude::*;
/// use serde_json::Value;
///
/// /// Talks about the weather, and shows it.
/// #[agent(activities = [McpApp], forwarded = McpAppsProps)]
/// async fn meteorologist(
///     run: &mut Run<Meteorologist>,
///     input: Input<Meteorologist>,
///     model: &Model,
///     apps: &McpApps,
/// ) -> Result<Option<Value>, Stop> {
///     if let Some(request) = input.forwarded::<McpAppsProps>()?.and_then(|props| props.request) {
///         return Ok(Some(apps.answer(&request).await)); // RUN_FINISHED with the answer
///     }
///     let tools = apps.tool_list(run);
///     run.chat(model).tools_from(tools).await?;
///     Ok(None)
/// }
///
/// # async fn example(model: Model) -> Result<(), agui_runtime::mcp::McpError> {
/// let weather = McpClient::http("https://weather.example/mcp").with_apps().await?;
/// let apps = McpApps::new().server("weather", weather, [AppRight::ReadPages, AppRight::CallTools]);
/// let agent = Meteorologist::new(model, apps);
/// # drop(agent);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct McpApps {
    servers: Vec<Arc<McpAppServer>>,
}

/// A server and its apps' rights.
#[derive(Debug)]
struct McpAppServer {
    id: String,
    hash: String,
    client: McpClient,
    rights: Vec<AppRight>,
}

impl McpApps {
    /// Starts without servers; add them with [`server`](Self::server).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a server under a name that pages see and send back, with its apps' rights. A second server with the same name replaces
    /// the first.
    ///
    /// Connect the client with [`McpConnecting::with_apps`](super::McpConnecting::with_apps); otherwise the server may hide its
    /// apps.
    ///
    /// ```
    /// use agui_runtime::mcp::{AppRight, McpApps, McpClient};
    ///
    /// # fn example(weather: McpClient, maps: McpClient) {
    /// let apps = McpApps::new()
    ///     .server("weather", weather, [AppRight::ReadPages, AppRight::CallTools])
    ///     .server("maps", maps, [AppRight::ReadPages]);
    /// # }
    /// ```
    #[must_use]
    pub fn server(
        mut self,
        id: impl Into<String>,
        client: McpClient,
        rights: impl IntoIterator<Item = AppRight>,
    ) -> Self {
        let id = id.into();
        self.servers.retain(|server| server.id != id);
        let hash = hex(&Sha256::hash(id.as_bytes()));
        self.servers.push(Arc::new(McpAppServer { id, hash, client, rights: rights.into_iter().collect() }));
        self
    }

    /// Lists the servers' tools, as [`McpClient::tools`] does, without tools that only apps may call. After each call to a tool
    /// with an app, the page gets the activity [`McpApp`], even if the tool has failed. [`tool_list`](Self::tool_list) also follows
    /// the changes while a chat runs.
    ///
    /// # Errors
    /// [`McpError`] if a server does not respond, or responds without a tool list.
    pub async fn tools(&self, emit: &Emit) -> Result<Vec<DynTool<'static>>, McpError> {
        let emit = Arc::new(share_emit(emit));
        let mut tools = Vec::new();
        for server in &self.servers {
            let listed = server.client.listed().await?;
            tools.extend(imported(server, &server.client, listed, &emit));
        }
        Ok(tools)
    }

    fn find(&self, request: &McpAppRequest) -> Option<&McpAppServer> {
        let id = request.server_id.as_ref();
        let by_id = self.servers.iter().find(|server| id == Some(&server.id));
        let hash = request.server_hash.as_ref();
        let by_hash = || self.servers.iter().find(|server| hash == Some(&server.hash));
        by_id.or_else(by_hash).map(Arc::as_ref)
    }
}

/// Converts a server's tools for a model; the results of tools with an app are shown.
fn imported(
    server: &Arc<McpAppServer>,
    client: &McpClient,
    mut listed: Vec<Tool>,
    emit: &Arc<Emit>,
) -> Vec<DynTool<'static>> {
    listed.retain(|tool| is_visible(tool, "model"));
    client.imported(listed, |tool| shows(server, tool, emit))
}

/// Returns the function that shows a tool's results in the tool's app.
fn shows(server: &Arc<McpAppServer>, tool: &Tool, emit: &Arc<Emit>) -> Option<CallObserver> {
    let page = page_of(tool)?.to_owned();
    let (server, emit) = (Arc::clone(server), Arc::clone(emit));
    Some(Arc::new(move |arguments, result| {
        let app = McpApp::from_result(&server, &page, arguments, result);
        let (emit, server) = (Arc::clone(&emit), server.id.clone());
        async move {
            let error = match app {
                Ok(app) => match start_activity(&emit, app).await {
                    Ok(_) => return,
                    Err(error) => error.to_string(),
                },
                Err(error) => error.to_string(),
            };
            tracing::warn!(server, error, "the result of a tool of an MCP server is not shown");
        }
        .boxed()
    }))
}
