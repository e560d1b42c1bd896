//! Tool search: a model sees names until it asks for a tool.

mod catalog;
mod setting;

pub(super) use catalog::{FoundTools, ToolCatalog};
pub(super) use setting::SearchedTools;
pub use setting::ToolSearch;
