//! `/lab/mcp_served`: an agent's tools as an MCP server, for MCP clients instead of pages. The client's user approves each copy.

use agui_runtime::mcp::McpServer;
use agui_runtime::prelude::*;

/// Copies a key.
#[tool(approval)]
async fn copy_key(
    /// the door, such as `cellar`
    door: String,
) -> String {
    format!("Here is a second key to the {door}.")
}

/// Names the doors that have a lock.
#[tool]
async fn list_doors() -> Vec<String> {
    vec!["cellar".to_owned(), "garden".to_owned()]
}

/// Knows all keys.
#[agent(tools = [copy_key, list_doors])]
async fn locksmith(_: &mut Run<Locksmith>, _: Input<Locksmith>) -> Result<(), Stop> {
    Ok(())
}

pub fn server() -> McpServer {
    McpServer::new(Locksmith::new()).client_asks_user()
}
