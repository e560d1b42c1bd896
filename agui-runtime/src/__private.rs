//! What generated code names. Not part of the public interface: it may change in any release.

pub use {inventory, schemars, serde, serde_json};

pub use crate::manifest::{AgentSource, EventSource, ToolSource, TypeSource};
pub use crate::state::Derived;
pub use crate::tool::{Outcome, Probe, ViaResult, ViaValue};

#[cfg(feature = "server")]
pub use crate::server::block_on;
