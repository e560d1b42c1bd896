//! Frontend tools in an agent's capabilities.
//!
//! AG-UI 1.0 has a member for the tools that an agent runs itself, `tools.items`, and only a flag for frontend tools. With this
//! declaration, a client other than the agent's page, such as an inspector, can offer the frontend tools and ask a person for
//! their results.

use serde_json::Value;

use super::capabilities::AgentCapabilities;
use crate::protocol::conversation::input::Tool;
use crate::protocol::metadata::Metadata;

/// Member of `custom` for the tools.
const TOOLS: &str = "agui-rust/frontendTools";

/// Metadata member for the schema of a tool's results.
const RESULT: &str = "agui-rust/result";

/// A tool that an agent leaves to the user interface: as a run offers it to the agent, and the result that comes back.
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
    /// The tool as a run's input offers it.
    pub tool: Tool,
    /// JSON Schema for the results; `None` if results have no declared form.
    pub result: Option<Value>,
}

impl FrontendTool {
    /// Creates a [`FrontendTool`] from a tool and a JSON Schema for the tool's results.
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
    /// Declares frontend tools as the member `agui-rust/frontendTools` in `custom`. Without tools, nothing is declared.
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

    /// Returns the declared frontend tools. Entries that declare no tool are left out.
    #[must_use]
    pub fn frontend_tools(&self) -> Vec<FrontendTool> {
        let declared = self.custom.as_ref().and_then(|custom| custom.get(TOOLS)).and_then(Value::as_array);
        declared.into_iter().flatten().filter_map(FrontendTool::read).collect()
    }
}
