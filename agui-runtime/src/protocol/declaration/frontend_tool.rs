//! The tools that an agent leaves to its user interface, in its capabilities.
//!
//! AG-UI 1.0 has a member for the tools that an agent runs itself, `tools.items`, and only a flag for the others. With
//! these, a client that is no page of the agent, such as an inspector, can offer them and ask a person for their results.

use serde_json::Value;

use super::capabilities::AgentCapabilities;
use crate::protocol::conversation::input::Tool;
use crate::protocol::metadata::Metadata;

/// The member of `custom` with the tools.
const TOOLS: &str = "agui-rust/frontendTools";

/// The member of the metadata of a tool with the schema of its results.
const RESULT: &str = "agui-rust/result";

/// A tool that an agent leaves to its user interface: what a run offers the agent, and what the user interface answers.
///
/// ```
/// use agui_runtime::protocol::{AgentCapabilities, FrontendTool, Tool};
/// use serde_json::json;
///
/// let confirm = FrontendTool::new(Tool::new("confirm", "Asks the person."), Some(json!({ "type": "boolean" })));
/// let declared = AgentCapabilities::new().with_frontend_tools([confirm.clone()]);
/// assert_eq!(declared.frontend_tools(), [confirm]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrontendTool {
    /// The tool, as an input of a run offers it.
    pub tool: Tool,
    /// The JSON Schema of its results; `None` if they have no declared form.
    pub result: Option<Value>,
}

impl FrontendTool {
    /// Creates the declaration of a tool, with the JSON Schema of its results.
    ///
    /// ```
    /// use agui_runtime::protocol::{FrontendTool, Tool};
    ///
    /// assert_eq!(FrontendTool::new(Tool::new("beep", "Beeps."), None).tool.name, "beep");
    /// ```
    #[must_use]
    pub fn new(tool: Tool, result: Option<Value>) -> Self {
        Self { tool, result }
    }

    fn written(self) -> Value {
        let Self { mut tool, result } = self;
        if let Some(result) = result {
            tool.metadata.get_or_insert_default().insert(RESULT.to_owned(), result);
        }
        // Plain data, which can always be written.
        serde_json::to_value(tool).unwrap_or_default()
    }

    fn read(declared: &Value) -> Option<Self> {
        let mut tool: Tool = serde_json::from_value(declared.clone()).ok()?;
        let result = tool.metadata.as_mut().and_then(|metadata| metadata.remove(RESULT));
        tool.metadata = tool.metadata.filter(|metadata| **metadata != *Metadata::new());
        Some(Self { tool, result })
    }
}

impl AgentCapabilities {
    /// Declares tools that the agent leaves to its user interface, as the member `agui-rust/frontendTools` of `custom`. Without
    /// any, nothing is declared.
    ///
    /// ```
    /// use agui_runtime::protocol::{AgentCapabilities, FrontendTool, Tool};
    ///
    /// let declared = AgentCapabilities::new().with_frontend_tools([FrontendTool::new(Tool::new("beep", "Beeps."), None)]);
    /// assert_eq!(
    ///     serde_json::to_string(&declared).unwrap(),
    ///     r#"{"custom":{"agui-rust/frontendTools":[{"name":"beep","description":"Beeps."}]}}"#,
    /// );
    /// ```
    #[must_use]
    pub fn with_frontend_tools(mut self, tools: impl IntoIterator<Item = FrontendTool>) -> Self {
        let tools: Vec<Value> = tools.into_iter().map(FrontendTool::written).collect();
        if !tools.is_empty() {
            self.custom.get_or_insert_default().insert(TOOLS.to_owned(), tools.into());
        }
        self
    }

    /// Returns the declared tools of the user interface. Entries that declare no tool are left out.
    ///
    /// ```
    /// use agui_runtime::protocol::AgentCapabilities;
    ///
    /// assert!(AgentCapabilities::new().frontend_tools().is_empty());
    /// ```
    #[must_use]
    pub fn frontend_tools(&self) -> Vec<FrontendTool> {
        let declared = self.custom.as_ref().and_then(|custom| custom.get(TOOLS)).and_then(Value::as_array);
        declared.into_iter().flatten().filter_map(FrontendTool::read).collect()
    }
}
