//! Errors in a dynamic tool's definition.

use super::schema::check_parameters;
use crate::agent::tool::{LONGEST_DESCRIPTION, is_reserved};
use crate::model::name::is_name;
use crate::model::prompt::ToolSpec;
use crate::quoted::quoted;

/// The reason why [`DynTool::new`](super::DynTool::new) refuses a tool.
///
/// ```
/// use agui_runtime::Stop;
/// use agui_runtime::model::{DynTool, DynToolError};
/// use serde_json::json;
///
/// let tool = DynTool::new("no spaces", "Fails.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(()));
/// assert!(matches!(tool.unwrap_err(), DynToolError::Name { tool } if tool == "no spaces"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DynToolError {
    /// Some providers refuse the name.
    #[error(
        "`{}` cannot be the name of a tool: it needs up to 64 letters, digits, `_` and `-`, and begins with a letter or `_`",
        quoted(tool)
    )]
    Name {
        /// The name.
        tool: String,
    },
    /// The name is reserved for the runtime's tools.
    #[error("the name `{tool}` is reserved: the runtime has tools called `final_result` and `agui_…`")]
    Reserved {
        /// The name.
        tool: String,
    },
    /// The description is empty, or longer than some providers accept.
    #[error("the description of tool `{tool}` has {characters} characters: it needs 1 to 1024")]
    Description {
        /// The tool name.
        tool: String,
        /// The description's length in characters.
        characters: usize,
    },
    /// The parameters are not a JSON Schema for an object.
    #[error("the parameters of tool `{tool}` at `{path}`: {reason}")]
    Schema {
        /// The tool name.
        tool: String,
        /// The path in the schema, a JSON Pointer (RFC 6901); empty for the root.
        path: String,
        /// The mistake.
        reason: String,
    },
}

pub(super) fn check(spec: &ToolSpec) -> Result<(), DynToolError> {
    let tool = spec.name.clone();
    if !is_name(&tool) {
        return Err(DynToolError::Name { tool });
    }
    if is_reserved(&tool) {
        return Err(DynToolError::Reserved { tool });
    }
    let characters = spec.description.chars().count();
    if spec.description.trim().is_empty() || characters > LONGEST_DESCRIPTION {
        return Err(DynToolError::Description { tool, characters });
    }
    check_parameters(&spec.parameters).map_err(|(path, reason)| DynToolError::Schema { tool, path, reason })
}
