//! The activity that shows an app.

use agui_runtime_core::Activity;
use rmcp::model::{CallToolResult, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use agui_runtime_core::protocol::JsonObject;

/// The content of an `mcp-apps` activity: a tool call, and the address of the page that shows the call's result (MCP Apps).
///
/// [`McpApps::tools`](super::McpApps::tools) sends the activity. List it in `#[agent(activities = [McpApp])]` so that generated
/// clients know the type.
///
/// ```
/// use agui_runtime::mcp::McpApp;
/// use serde_json::json;
///
/// // A Rust client reads the content of the activity.
/// let content = json!({
///     "result": { "content": [] }, "resourceUri": "ui://weather/page.html", "serverHash": "5d4a", "toolInput": {},
/// });
/// let app: McpApp = serde_json::from_value(content)?;
/// assert_eq!(app.resource_uri, "ui://weather/page.html");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Activity, Serialize, Deserialize, JsonSchema)]
#[activity(type = "mcp-apps")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpApp {
    /// The tool result, as the server sent it.
    pub result: JsonObject,
    /// The page's address, for `resources/read`.
    pub resource_uri: String,
    /// A hash of the server's name, which reveals nothing about the server.
    pub server_hash: String,
    /// The server's name in [`McpApps::server`](super::McpApps::server).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The call's arguments.
    #[serde(default)]
    pub tool_input: JsonObject,
}

impl McpApp {
    pub(super) fn from_result(
        server: &super::McpAppServer,
        resource_uri: &str,
        arguments: &Value,
        result: &CallToolResult,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            result: serde_json::from_value(serde_json::to_value(result)?)?,
            resource_uri: resource_uri.to_owned(),
            server_hash: server.hash.clone(),
            server_id: Some(server.id.clone()),
            tool_input: arguments.as_object().cloned().unwrap_or_default(),
        })
    }
}

/// Returns the address of the page that shows a tool's results, also from the legacy `ui/resourceUri` key.
pub(super) fn page_of(tool: &Tool) -> Option<&str> {
    let meta = &tool.meta.as_ref()?.0;
    let newer = meta.get("ui").and_then(|ui| ui.get("resourceUri"));
    newer.or_else(|| meta.get("ui/resourceUri"))?.as_str()
}

/// True if the side, `model` or `app`, may call the tool. A tool without visibility is open to both.
pub(super) fn is_visible(tool: &Tool, side: &str) -> bool {
    let visibility = tool.meta.as_ref().and_then(|meta| meta.0.get("ui")?.get("visibility"));
    visibility.is_none_or(|sides| sides.as_array().is_some_and(|sides| sides.iter().any(|one| one == side)))
}
