//! MCP in both directions: an agent's tools as a server, tools of servers for a model, with rmcp at the other end.

mod answers;
mod apps;
mod asking;
mod asking_nodes;
mod broken;
mod changing;
mod changing_apps;
mod child;
mod describe;
mod http;
mod http_asking;
mod imported;
mod kept_questions;
mod office;
mod older;
mod parts;
mod progress;
mod raw_http;
mod reported;
mod root;
mod served;
mod served_agents;
mod served_asking;
mod sessions;
// In no library: a linked agent is in the manifest of the program.
#[path = "../../src/bin/mcp_shop/shop.rs"]
mod shop;
mod tokens;
mod versions;
mod wide_integers;
mod wired;
