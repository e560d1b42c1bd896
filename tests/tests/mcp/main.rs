//! MCP in both directions: an agent's tools as a server, tools of servers for a model, with rmcp at the other end.

mod broken;
mod child;
mod describe;
mod http;
mod imported;
mod served;
mod versions;
mod wired;
