//! The shop as an MCP server: over standard input and output, or over HTTP beside its agent; and a server with values of any
//! type.

#[allow(dead_code, reason = "the tests count calls")]
mod shop;
mod values;

use std::sync::Arc;

use agui_runtime::Server;
use agui_runtime::mcp::McpServer;
use shop::{Shop, Waiting};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Arc::new(Shop::new(Waiting::default()));
    let tools = McpServer::shared(&shop).instructions("Prices are in cents.");
    match std::env::args().nth(1).as_deref() {
        Some("http") => Server::new().mcp("/mcp", tools).dyn_agent("/", shop).serve().await?,
        Some("values") => McpServer::new(values::Keeper::new()).serve_stdio().await?,
        _ => tools.serve_stdio().await?,
    }
    Ok(())
}
