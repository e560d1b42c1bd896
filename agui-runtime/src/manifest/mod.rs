//! What `agui-codegen` reads: plain data, canonical JSON, hashes.

mod source;

pub use source::{AgentSource, EventSource, ToolSide, ToolSource, TypeSource};
