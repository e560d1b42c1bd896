//! Agents as tools: a model calls them, or hands the conversation over to them.

mod ask;
mod conversation;
mod handoff;
mod listed;

pub use ask::SubagentTool;
pub use handoff::HandoffTool;
pub use listed::{Subagent, SubagentOf, has_description, has_name, needs_page};
