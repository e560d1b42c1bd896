//! Agents among the tools of another: its model calls them, or hands the conversation over to them.

mod ask;
mod conversation;
mod entry;
mod handoff;
mod listed;

pub use ask::Ask;
pub use entry::{ToolEntry, tool_entry};
pub use handoff::{Handoff, HandoffFn};
pub use listed::{Subagent, SubagentOf, has_description, needs_page};

#[cfg(feature = "model")]
pub(crate) use entry::handoff_to;
