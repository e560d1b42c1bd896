//! `/lab/mcp`: the tools of an MCP server that reports its progress, asks the user, and changes its tool list.

use agui_runtime::mcp::{McpClient, McpError};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use rmcp::ServiceExt;
use serde_json::json;

use crate::lab::mcp_server::Door;

/// Connects to a server in this program. Usually this is a program or an address: `McpClient::spawn`, `McpClient::http`.
async fn door() -> Result<McpClient, McpError> {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        if let Ok(running) = Door::default().serve(there).await {
            running.waiting().await.ok();
        }
    });
    McpClient::connect("door", here).await
}

/// Opens a door, which has to be unlocked first.
#[agent]
pub async fn doorkeeper(run: &mut Run<Doorkeeper>, input: Input<Doorkeeper>) -> Result<(), Stop> {
    // A real model decides by itself. This one unlocks the door, and opens it once the server has the tool for that.
    let script = match input.resume().is_empty() {
        true => vec![Reply::call("unlock", json!({}))],
        false => vec![Reply::call("open", json!({})), Reply::text("That was the door.")],
    };
    let model = Model::from(ScriptedModel::new(script));
    let door = door().await?;
    run.chat(&model).tools_from(door.tool_list()).await // the call asks: RUN_FINISHED, interrupted
}
