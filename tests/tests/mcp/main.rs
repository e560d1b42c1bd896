//! MCP in both directions: an agent's tools as a server, tools of servers for a model, with rmcp at the other end.

mod apps;
mod broken;
mod child;
mod describe;
mod http;
mod imported;
mod progress;
mod root;
mod served;
// In no library: a linked agent is in the manifest of the program.
#[path = "../../src/bin/mcp_shop/shop.rs"]
mod shop;
mod versions;
mod wired;
