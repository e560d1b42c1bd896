//! Requests from an app to its server, forwarded by the page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{McpAppServer, McpApps, is_visible};
use crate::McpError;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::PublicError;
use agui_runtime_core::protocol::JsonObject;

/// Prefix shared by all page addresses.
const PAGES: &str = "ui://";

/// The `forwardedProps` from a page with apps: an app's request, if such a request started the run.
///
/// An agent with other props adds this type as a field with `#[serde(flatten)]`.
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
    /// The app's request.
    #[serde(default, rename = "__proxiedMCPRequest", skip_serializing_if = "Option::is_none")]
    pub request: Option<McpAppRequest>,
}

/// An app's request to its own server, as the page forwards it.
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
    /// The app's [`McpApp::server_hash`](super::McpApp::server_hash).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_hash: Option<String>,
    /// The server's name; takes precedence over the hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The MCP method.
    pub method: String,
    /// The method's parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<JsonObject>,
}

/// A right that a server's apps can have. By default they have none. Grant rights with [`McpApps::server`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppRight {
    /// `resources/read` for addresses that begin with `ui://`. Without this right no app is shown.
    ReadPages,
    /// `resources/read` for all resources on the server.
    ReadResources,
    /// `tools/call` for tools that the server shows to apps. The call runs without approval and without a model.
    CallTools,
}

impl McpApps {
    /// Runs an app's request and returns the value that the run finishes with. A refused or failed request gives `{"error": …}`,
    /// as pages expect, and is logged.
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

    /// Runs an app's request, if the app has the right, and returns the server's result.
    ///
    /// # Errors
    /// [`McpAppError`] if the server is unknown, the app lacks the right, or the server gives no result.
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

impl McpAppServer {
    fn may(&self, right: AppRight) -> bool {
        self.rights.contains(&right)
    }

    fn may_read(&self, uri: &str) -> bool {
        self.may(AppRight::ReadResources) || uri.starts_with(PAGES) && self.may(AppRight::ReadPages)
    }

    /// Calls a tool that the server, in its current tool list, shows to apps.
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

/// An app's request failed. The page sees the text.
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
        /// The name or hash in the request.
        server: String,
    },
    /// The server's apps have no right to this method or resource.
    #[error("the app may not use `{method}` like this")]
    NotAllowed {
        /// The MCP method.
        method: String,
    },
    /// The server has no such tool for apps.
    #[error("there is no tool `{tool}` for apps")]
    NoSuchTool {
        /// The tool name.
        tool: String,
    },
    /// The server did not respond, or refused.
    #[error(transparent)]
    Server(#[from] McpError),
    /// The result has no JSON form.
    #[error("the result has no JSON form")]
    Json {
        /// The serde error.
        source: serde_json::Error,
    },
}

impl PublicError for McpAppError {}
