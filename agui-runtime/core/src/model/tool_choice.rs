//! The tools that a model may, must or must not call.

use crate::agent::tool::FINAL_RESULT;

/// A turn's rule for tool calls: [`Chat::tool_choice`](super::Chat::tool_choice), and [`Prompt::tool_choice`](super::Prompt).
///
/// Exhaustive on purpose: a model that does not translate a new rule is a compile error.
///
/// ```
/// use agui_runtime::model::ToolChoice;
///
/// assert!(ToolChoice::Tool("price".to_owned()).forces_call());
/// assert!(!ToolChoice::default().forces_call());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model calls no tool.
    Never,
    /// The model calls at least one tool.
    Required,
    /// The model calls the tool with this name.
    Tool(String),
}

impl ToolChoice {
    /// Returns true if the model must call a tool.
    #[must_use]
    pub fn forces_call(&self) -> bool {
        matches!(self, Self::Required | Self::Tool(_))
    }

    /// True if the model must call the tool of the chat's output.
    pub(super) fn forces_output(&self) -> bool {
        matches!(self, Self::Tool(tool) if tool == FINAL_RESULT)
    }
}

/// The tool that a request forces its agent's model to call: the model sees no other tool.
#[derive(Clone, Debug)]
pub(crate) struct RequestedTool(pub(crate) String);
