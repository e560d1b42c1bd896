//! Lists of dynamic tools that change between turns.

use crate::agent::Stop;
use crate::model::dynamic::DynTool;
use crate::model::tool_source::ToolSource;
use crate::quoted::quoted;

/// A source and its tools that the chat has.
pub(super) struct SourcedTools<'w> {
    source: Box<dyn ToolSource + 'w>,
    tools: Vec<DynTool<'w>>,
}

impl<'w> SourcedTools<'w> {
    pub(super) fn new(source: impl ToolSource + 'w) -> Self {
        Self { source: Box::new(source), tools: Vec::new() }
    }
}

/// Asks the sources for their tools. Returns true if a list has changed.
///
/// # Errors
/// A source's error before the first turn.
pub(super) async fn refresh<'w>(
    sources: &mut [SourcedTools<'w>],
    fixed: &[DynTool<'w>],
    is_first: bool,
) -> Result<bool, Stop> {
    let mut is_changed = false;
    for at in 0..sources.len() {
        let Some(sourced) = sources.get_mut(at) else { break };
        let mut tools: Vec<DynTool<'w>> = match sourced.source.changed_tools().await {
            Ok(None) => continue,
            Ok(Some(tools)) => tools,
            Err(error) if is_first => return Err(error),
            Err(error) => {
                let error = quoted(&error);
                tracing::warn!(%error, "a changed list of tools is not read: the chat keeps the earlier list");
                continue;
            }
        };
        if !is_first {
            // Otherwise a source could put its tool in the place of another source's tool.
            tools.retain(|tool| {
                let mut others = sources.iter().enumerate().filter(|(other, _)| *other != at);
                let is_taken = fixed.iter().any(|other| other.name() == tool.name())
                    || others.any(|(_, other)| other.tools.iter().any(|other| other.name() == tool.name()));
                if is_taken {
                    warn_taken(tool.name(), "another tool of the chat");
                }
                !is_taken
            });
        }
        if let Some(sourced) = sources.get_mut(at) {
            sourced.tools = tools;
        }
        is_changed = true;
    }
    Ok(is_changed)
}

/// Logs that a tool of a changed list is left out.
pub(in crate::model) fn warn_taken(tool: &str, by: &str) {
    let tool = quoted(tool);
    tracing::warn!(%tool, by, "a new tool has a name that is taken, and is left out");
}

/// Returns all dynamic tools that the chat has.
pub(super) fn all_tools<'w>(fixed: &[DynTool<'w>], sources: &[SourcedTools<'w>]) -> Vec<DynTool<'w>> {
    let sourced = sources.iter().flat_map(|sourced| &sourced.tools);
    fixed.iter().chain(sourced).cloned().collect()
}
