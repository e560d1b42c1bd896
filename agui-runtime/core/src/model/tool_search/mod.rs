//! Tool search: a model sees names until it asks for a tool.

mod catalog;
mod setting;

pub(super) use catalog::{FoundTools, ToolCatalog};
pub(super) use setting::SearchedTools;
pub use setting::ToolSearch;

/// The name of the tool by which a model finds tools.
pub const FIND_TOOLS: &str = "agui_find_tools";
