//! The requests of an app to its server, which the page forwards.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{McpApps, Server, is_visible};
use crate::agent::PublicError;
use crate::mcp::McpError;
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// The beginning of the addresses of pages.
const PAGES: &str = "ui://";

/// The `forwardedProps` of a page with apps: the request of an app, if that began the run.
///
/// An agent with other props has it as a field with `#[serde(flatten)]`.
///
/// ```
/// use agui_runtime::mcp::McpAppsProps;
/// use serde_json::json;
///
/// let request = json!({ "serverHash": "5d4a", "method": "resources/read", "params": { "uri": "ui://weather/page.html" } });
/// let props: McpAppsProps = serde_json::from_value(json!({ "__proxiedMCPRequest": request }))?;
/// assert_eq!(props.request.unwrap().method, "resources/read");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct McpAppsProps {
    /// The request.
    #[serde(default, rename = "__proxiedMCPRequest", skip_serializing_if = "Option::is_none")]
    pub request: Option<McpAppRequest>,
}

/// A request of an app to the server that it came from, as a page forwards it.
///
/// ```
/// use agui_runtime::mcp::McpAppRequest;
/// use serde_json::json;
///
/// let request = json!({ "serverId": "weather", "method": "tools/call", "params": { "name": "refresh" } });
/// let request: McpAppRequest = serde_json::from_value(request)?;
/// assert_eq!(request.server_id.as_deref(), Some("weather"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpAppRequest {
    /// The [`McpApp::server_hash`](super::McpApp::server_hash) of the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_hash: Option<String>,
    /// The name of the server; it counts more than the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The method of MCP.
    pub method: String,
    /// The parameters of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<JsonObject>,
}

/// A right of the apps of a server. They have none by default.
///
/// ```
/// use agui_runtime::mcp::{AppRight, McpApps, McpClient};
///
/// # fn example(weather: McpClient) {
/// let apps = McpApps::new().server("weather", weather, [AppRight::ReadPages]);
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppRight {
    /// `resources/read` of addresses that begin with `ui://`. Without it no app is shown.
    ReadPages,
    /// `resources/read` of all resources of the server.
    ReadResources,
    /// `tools/call` of the tools that the server shows to apps. Nothing asks the user, and no model is there.
    CallTools,
}

impl McpApps {
    /// Answers a request of an app: the value with which the run finishes. A request that is refused, or that fails, is answered with
    /// `{"error": …}`, as pages expect, and logged.
    ///
    /// ```
    /// use agui_runtime::mcp::{McpApps, McpAppsProps};
    /// use agui_runtime::prelude::*;
    /// use serde_json::Value;
    ///
    /// /// Has no model, and answers apps.
    /// #[agent(forwarded = McpAppsProps)]
    /// async fn host(run: &mut Run<Host>, input: Input<Host>, apps: &McpApps) -> Result<Option<Value>, Stop> {
    ///     let request = input.forwarded::<McpAppsProps>()?.and_then(|props| props.request);
    ///     Ok(match request {
    ///         Some(request) => Some(apps.answer(&request).await),
    ///         None => None,
    ///     })
    /// }
    /// ```
    pub async fn answer(&self, request: &McpAppRequest) -> Value {
        match self.call(request).await {
            Ok(result) => result,
            Err(error) => {
                let method = quoted(&request.method);
                tracing::warn!(%method, %error, "a request of an MCP app has no result");
                json!({ "error": error.to_string() })
            }
        }
    }

    /// Makes the request of an app, if the app may, and returns the result of the server.
    ///
    /// # Errors
    /// [`McpAppError`] if the server is unknown, if the app has no right to it, or if the server gives no result.
    ///
    /// ```
    /// use agui_runtime::mcp::{McpAppError, McpApps};
    /// use serde_json::json;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let request = json!({ "serverId": "weather", "method": "ping" });
    /// let error = McpApps::new().call(&serde_json::from_value(request).unwrap()).await.unwrap_err();
    /// assert!(matches!(error, McpAppError::UnknownServer { .. }));
    /// # });
    /// ```
    pub async fn call(&self, request: &McpAppRequest) -> Result<Value, McpAppError> {
        let server = self.find(request).ok_or_else(|| {
            let named = request.server_id.as_ref().or(request.server_hash.as_ref());
            McpAppError::UnknownServer { server: quoted(named.map_or("", String::as_str)).to_string() }
        })?;
        let text = |name: &str| request.params.as_ref()?.get(name)?.as_str();
        match (request.method.as_str(), text("uri"), text("name")) {
            ("resources/read", Some(uri), _) if server.may_read(uri) => {
                written(server.client.read_resource(uri).await?)
            }
            ("tools/call", _, Some(name)) if server.may(AppRight::CallTools) => {
                server.call_tool(name, request).await
            }
            _ => Err(McpAppError::NotAllowed { method: quoted(&request.method).to_string() }),
        }
    }
}

impl Server {
    fn may(&self, right: AppRight) -> bool {
        self.rights.contains(&right)
    }

    fn may_read(&self, uri: &str) -> bool {
        self.may(AppRight::ReadResources) || uri.starts_with(PAGES) && self.may(AppRight::ReadPages)
    }

    /// Calls a tool for an app: one that the server shows to apps, in the list as it is now.
    async fn call_tool(&self, name: &str, request: &McpAppRequest) -> Result<Value, McpAppError> {
        let tools = self.client.listed().await?;
        if !tools.iter().any(|tool| tool.name == name && is_visible(tool, "app")) {
            return Err(McpAppError::NoSuchTool { tool: quoted(name).to_string() });
        }
        let arguments = request.params.as_ref().and_then(|params| params.get("arguments")).cloned();
        written(self.client.call_raw(name.to_owned(), arguments.unwrap_or_default()).await?)
    }
}

fn written(result: impl Serialize) -> Result<Value, McpAppError> {
    serde_json::to_value(result).map_err(|source| McpAppError::Json { source })
}

/// The reason why a request of an app has no result. The page sees the text.
///
/// ```
/// use agui_runtime::mcp::McpAppError;
///
/// let error = McpAppError::NotAllowed { method: "tools/call".to_owned() };
/// assert_eq!(error.to_string(), "the app may not use `tools/call` like this");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpAppError {
    /// No server has this name.
    #[error("there is no server `{server}`")]
    UnknownServer {
        /// The name or the hash in the request.
        server: String,
    },
    /// The apps of the server have no right to this method, or not to this resource.
    #[error("the app may not use `{method}` like this")]
    NotAllowed {
        /// The method of MCP.
        method: String,
    },
    /// The server has no tool of this name for apps.
    #[error("there is no tool `{tool}` for apps")]
    NoSuchTool {
        /// The name.
        tool: String,
    },
    /// The server did not answer, or refused.
    #[error(transparent)]
    Server(#[from] McpError),
    /// The result has no JSON form.
    #[error("the result has no JSON form")]
    Json {
        /// The error of serde.
        source: serde_json::Error,
    },
}

impl PublicError for McpAppError {}
