//! MCP client: connection and tool requests.

mod begin;
mod call;
mod connect;
mod connecting;
mod content;
mod content_limits;
mod ended;
mod endpoint;
mod generation;
mod handler;
mod http;
mod import;
mod input;
mod lines;
mod listing;
mod meant;
mod offered;
mod process;
mod reports;
mod running;
mod shortened;
mod tool_list;
mod transport;
mod watched;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::model::{
    CallToolResult, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Tool,
};
use rmcp::service::{RunningService, ServiceError};
use rmcp::{Peer, RoleClient};
use serde_json::Value;
use tokio::sync::Mutex;

pub use connecting::McpConnecting;
pub use content_limits::McpContentLimits;
pub use endpoint::McpEndpoint;
pub use generation::McpGeneration;
pub use tool_list::McpToolList;
pub use transport::McpTransport;

pub use http::{McpTokenChallenge, McpTokenRequest};

pub(crate) use http::HttpFailure;

use self::connecting::McpConnectOptions;
use self::ended::ChatNumber;
use self::handler::McpServerMessages;
use self::offered::OfferedParts;
use self::tool_list::ListSubscription;
use self::watched::McpNotifications;
use super::McpError;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::model::DynTool;

/// Default request timeout, the same as in the official clients.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A function that sees a tool's finished calls: arguments and result.
pub(super) type CallObserver = Arc<dyn Fn(&Value, &CallToolResult) -> BoxFuture<'static, ()> + Send + Sync>;

/// A connection to an MCP server, whose tools a model may call.
///
/// Connect once, give the client to the agent, and use the [`tool_list`](Self::tool_list) in each run. Clones share the connection.
/// When the last clone and the last tool are dropped, the connection, and with it the process, ends in the background;
/// [`close`](Self::close) waits for the end.
///
/// ```no_run
/// use agui_runtime::mcp::McpClient;
/// use agui_runtime::model::Model;
/// use agui_runtime::prelude::*;
///
/// /// Answers questions about files.
/// #[agent]
/// async fn archivist(
///     run: &mut Run<Archivist>,
///     _: Input<Archivist>,
///     model: &Model,
///     files: &McpClient,
/// ) -> Result<(), Stop> {
///     run.chat(model).tools_from(files.tool_list()).await
/// }
///
/// # async fn example(model: Model) -> Result<(), agui_runtime::mcp::McpError> {
/// let files = McpClient::spawn("npx", ["-y", "@modelcontextprotocol/server-filesystem", "documents"]).await?;
/// let agent = Archivist::new(model, files);
/// # drop(agent);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpClient {
    connection: Arc<McpClientShared>,
    prefix: Arc<str>,
    timeout: Duration,
    offered: OfferedParts,
    shows_logs: bool,
    /// The chat, in a client that one chat has.
    chat: Option<ChatNumber>,
}

struct McpClientShared {
    server: String,
    peer: Peer<RoleClient>,
    notifications: Arc<McpNotifications>,
    subscription: Mutex<ListSubscription>,
    running: Mutex<RunningService<RoleClient, McpServerMessages>>,
}

impl McpClient {
    fn from_service(server: String, running: RunningService<RoleClient, McpServerMessages>) -> Self {
        let (peer, notifications) = (running.peer().clone(), Arc::clone(&running.service().notifications));
        let connection = McpClientShared {
            server,
            peer,
            notifications,
            subscription: Mutex::default(),
            running: Mutex::new(running),
        };
        Self {
            connection: Arc::new(connection),
            prefix: "".into(),
            timeout: TIMEOUT,
            offered: OfferedParts::default(),
            shows_logs: false,
            chat: None,
        }
    }

    /// Sets a prefix for the tool names that the model sees, for servers with equally named tools: with `work_`, the tool `search`
    /// becomes `work_search`. Default: none.
    #[must_use]
    pub fn prefix(self, prefix: &str) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Sets the time limit for each request; 60 s by default. A request that takes longer is cancelled, and the model reads that
    /// the call failed. The server's questions meanwhile do not extend the limit, which begins again when the user's input comes, and when
    /// the server of 2026-07-28 wants the same call again, at most ten times.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Shows the server's log messages, from the level `info` on, as the [progress](agui_runtime_core::Emit::progress) of the call that
    /// runs (MCP, section "Logging"). By default no page gets a log message.
    ///
    /// MCP does not say which call a log message is about. A message is shown if one call alone runs on the connection, and no call of
    /// another chat ended in the last minute: a server that logs about a user's call later than that reaches the next user's page, and
    /// the stored thread. Only the calls of a [`tool_list`](Self::tool_list) are known to be of one chat. Where users share a connection,
    /// show the messages of servers that log nothing private.
    ///
    /// ```
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::McpClient;
    ///
    /// let builder = McpClient::http("https://builds.example/mcp").await?.log_messages();
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn log_messages(self) -> Self {
        Self { shows_logs: true, ..self }
    }

    /// Returns the protocol version that both sides speak, such as `2026-07-28`.
    #[must_use]
    pub fn protocol_version(&self) -> String {
        let info = self.connection.peer.peer_info();
        info.map_or_else(String::new, |info| info.protocol_version.to_string())
    }

    /// Returns the server's usage text, if there is one. The model does not see this text by default: add it to the chat's
    /// [`instructions`](agui_runtime_core::model::Chat::instructions) if you trust the server.
    ///
    /// ```
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::McpClient;
    ///
    /// let shop = McpClient::http("https://shop.example/mcp").await?;
    /// let instructions = format!("Be brief. {}", shop.instructions().unwrap_or_default());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn instructions(&self) -> Option<String> {
        self.connection.peer.peer_info()?.instructions.clone()
    }

    /// Requests the server's tools (MCP, section "Listing Tools"), with all pages, and returns them for
    /// [`Chat::tools`](agui_runtime_core::model::Chat::tools). A changed list takes effect at the next call to this method: with
    /// [`tool_list`](Self::tool_list), a chat that runs has the new list too.
    ///
    /// A tool that no model can call is dropped, with a logged warning: because an earlier tool has the same name, the name
    /// exceeds 64 characters, or the schema is not an object's schema. Name characters that providers refuse become `_`; a
    /// description above 1,024 characters is shortened, with a warning; a missing description becomes the title or the name.
    ///
    /// # Errors
    /// [`McpError`] if the server does not respond, or responds without a tool list.
    ///
    /// ```
    /// # use agui_runtime::mcp::{McpClient, McpError};
    /// # async fn example(files: &McpClient) -> Result<(), McpError> {
    /// let mut tools = files.tools().await?;
    /// tools.retain(|tool| tool.name() != "delete_file"); // the model does not see it
    /// # Ok(())
    /// # }
    /// ```
    pub async fn tools(&self) -> Result<Vec<DynTool<'static>>, McpError> {
        Ok(self.imported(self.listed().await?, |_| None))
    }

    /// Converts listed tools for a model, each with the function that sees the tool's calls.
    pub(super) fn imported(
        &self,
        tools: Vec<Tool>,
        watch: impl Fn(&Tool) -> Option<CallObserver>,
    ) -> Vec<DynTool<'static>> {
        import::tools(self, tools, watch)
    }

    /// Ends the connection for all clones, and waits until the process has exited: after 3 s the process gets SIGTERM, and after 3
    /// more seconds it is killed.
    pub async fn close(self) {
        let ended = self.connection.running.lock().await.close().await;
        if let Err(error) = ended {
            tracing::warn!(error = %quoted(&error), server = self.connection.server, "the connection to an MCP server ended badly");
        }
    }

    /// True if the connection speaks 2026-07-28.
    fn is_newer(&self) -> bool {
        let info = self.connection.peer.peer_info();
        info.is_some_and(|info| info.protocol_version >= ProtocolVersion::V_2026_07_28)
    }

    fn server(&self) -> String {
        self.connection.server.clone()
    }

    fn malformed(&self, what: impl Into<String>) -> McpError {
        McpError::Malformed { server: self.server(), what: what.into() }
    }

    /// Waits for a response. Dropping the future cancels the request at the server.
    async fn within<T>(
        &self,
        request: impl Future<Output = Result<T, McpError>> + Send,
    ) -> Result<T, McpError> {
        match tokio::time::timeout(self.timeout, request).await {
            Ok(answer) => answer,
            Err(_) => Err(McpError::Timeout { server: self.server(), timeout: self.timeout }),
        }
    }

    /// Reads a server resource (MCP, section "Reading Resources").
    pub(super) async fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, McpError> {
        let params = ReadResourceRequestParams::new(uri);
        let reading = async {
            self.connection.peer.read_resource_once(params).await.map_err(|error| self.error(error))
        };
        match self.within(reading).await? {
            ReadResourceResponse::Complete(result) => Ok(result),
            _ => Err(self.malformed("a request for input of the user")),
        }
    }

    fn error(&self, error: ServiceError) -> McpError {
        let server = self.server();
        match error {
            ServiceError::McpError(error) => {
                McpError::Refused { server, code: error.code.0, message: error.message.into_owned() }
            }
            ServiceError::TransportClosed => McpError::Lost { server },
            ServiceError::TransportSend(error) => {
                tracing::warn!(error = %quoted(&error), server, "a request to an MCP server failed");
                McpError::Transport { server, source: Box::new(error) }
            }
            ServiceError::Timeout { timeout } => McpError::Timeout { server, timeout },
            other => McpError::Malformed { server, what: format!("an answer that is not expected: {other}") },
        }
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient").field("server", &self.connection.server).finish_non_exhaustive()
    }
}
