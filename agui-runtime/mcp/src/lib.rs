//! The Model Context Protocol: MCP server tools for a model, and an agent's tools as an MCP server (feature `mcp`).
//!
//! Both directions speak protocol versions 2025-11-25 and 2026-07-28, which clients and servers use, and earlier versions with a
//! handshake. They need a tokio runtime.
//!
//! ```
//! use agui_runtime::mcp::{McpClient, McpServer};
//! use agui_runtime::model::{Model, Reply, ScriptedModel};
//! use agui_runtime::prelude::*;
//! use agui_runtime::testing;
//! use serde_json::json;
//!
//! /// Looks up what an ingredient costs, in cents.
//! #[tool(read_only)]
//! async fn price(name: String) -> u32 {
//!     180
//! }
//!
//! /// Has the tool, and no model.
//! #[agent(tools = [price])]
//! async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
//!     Ok(())
//! }
//!
//! /// Has the model, and the tools of an MCP server.
//! #[agent]
//! async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model, shop: &McpClient) -> Result<(), Stop> {
//!     run.chat(model).tools_from(shop.tool_list()).await
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let (here, there) = tokio::io::duplex(4096); // usually a process or an address: `McpClient::spawn`, `McpClient::http`
//! tokio::spawn(McpServer::new(Shop::new()).serve(there));
//! let shop = McpClient::connect("shop", here).await.unwrap();
//!
//! let script = [Reply::call("price", json!({ "name": "rice" })), Reply::text("It is 1.80.")];
//! let clerk = Clerk::new(ScriptedModel::new(script).into(), shop);
//! let events = testing::run(clerk, testing::input("Rice?")).await;
//! agui_runtime::assert_events!(events, [
//!     RunStarted,
//!     ToolCallStart, ToolCallArgs, ToolCallEnd, ToolCallResult,
//!     TextMessageStart, TextMessageContent, TextMessageEnd,
//!     RunFinished,
//! ]);
//! # });
//! ```
#![doc = ""]
#![doc = include_str!("docs/mcp.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Expansions of macros refer to the facade.
#[allow(unused_extern_crates, reason = "only expansions use it")]
extern crate agui_runtime_core as agui_runtime;

mod apps;
mod client;
mod error;
mod server;

pub use apps::{AppRight, McpApp, McpAppError, McpAppRequest, McpAppToolList, McpApps, McpAppsProps};
pub use client::{
    McpClient, McpConnecting, McpContentLimits, McpEndpoint, McpGeneration, McpTokenChallenge,
    McpTokenRequest, McpToolList, McpTransport,
};
pub use error::McpError;
pub use server::{McpServer, serve_stdio};
