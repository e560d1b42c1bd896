//! One feature of the protocol at a time.

pub mod a2ui;
pub mod activity;
pub mod backend_tool;
pub mod cancelled;
pub mod custom_raw;
pub mod echo_input;
pub mod error;
pub mod interrupt;
pub mod interrupts_two;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "mcp")]
pub mod mcp_library;
#[cfg(feature = "mcp")]
pub mod mcp_served;
#[cfg(feature = "mcp")]
mod mcp_server;
#[cfg(feature = "mcp")]
pub mod mcp_token;
pub mod messages_snapshot;
pub mod metadata;
pub mod parallel;
pub mod reasoning;
pub mod result;
mod resumed;
pub mod slow;
pub mod state;
pub mod state_held;
pub mod steps;
pub mod subagent;
pub mod text;
pub mod text_chunks;
pub mod tool;
pub mod tool_result_parts;
pub mod unicode;
