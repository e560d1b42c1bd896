//! The file that declares the tools.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::protocol::Tool;
use serde_json::Value;

use super::names::{self, ToolNames};

/// A tool that the frontend declares.
///
/// ```
/// use agui_codegen::frontend::{DeclaredTool, read};
///
/// let declared = read(r#"[{"name": "show map", "description": "Shows a map."}]"#)?;
/// let DeclaredTool { tool, names, .. } = &declared[0];
/// assert_eq!(tool.name, "show map");
/// assert!(names.is_err(), "model providers refuse a name with a space");
/// # Ok::<(), agui_codegen::frontend::ToolsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeclaredTool {
    /// The frontend's declaration.
    pub tool: Tool,
    /// The Rust names; or the reason why an agent cannot have such a tool.
    pub names: Result<ToolNames, String>,
}

/// An error: a file declares no tools.
///
/// ```
/// use agui_codegen::frontend::{ToolsError, read};
///
/// let error = read("7").unwrap_err();
/// assert!(matches!(error, ToolsError::NotTools { found: "a number" }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// The file is not JSON.
    #[error("is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The file contains another value.
    #[error("is neither a list of tools nor the input of a run, which has one at `tools`: it is {found}")]
    NotTools {
        /// The value's JSON kind.
        found: &'static str,
    },
    /// A tool is not valid.
    #[error("{place}: {source}")]
    NotATool {
        /// The tool's path in the file.
        place: String,
        /// The reason.
        source: serde_json::Error,
    },
    /// Two tools have the same name.
    #[error("{place}: there is a tool `{name}` already, at {first}")]
    Twice {
        /// The second tool's path.
        place: String,
        /// The first tool's path.
        first: String,
        /// The shared name.
        name: String,
    },
}

/// Reads the tools in `text`: a JSON array with AG-UI tools, or a `RunAgentInput` with `tools`.
///
/// ```
/// let declared = agui_codegen::frontend::read(r#"[{"name": "showMap", "description": "Shows a map."}]"#)?;
/// assert_eq!(declared[0].names.as_ref().unwrap().ident, "show_map");
/// # Ok::<(), agui_codegen::frontend::ToolsError>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolsError`], with the path in the file.
pub fn read(text: &str) -> Result<Vec<DeclaredTool>, ToolsError> {
    let (tools, base) = match serde_json::from_str(text)? {
        Value::Array(tools) => (tools, "$"),
        Value::Object(mut input) => match input.remove("tools") {
            Some(Value::Array(tools)) => (tools, "$.tools"),
            Some(_) => return Err(ToolsError::NotTools { found: "an object whose `tools` are not a list" }),
            None => return Err(ToolsError::NotTools { found: "an object without `tools`" }),
        },
        Value::Null => return Err(ToolsError::NotTools { found: "null" }),
        Value::Bool(_) => return Err(ToolsError::NotTools { found: "a boolean" }),
        Value::Number(_) => return Err(ToolsError::NotTools { found: "a number" }),
        Value::String(_) => return Err(ToolsError::NotTools { found: "a text" }),
    };
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut declared = Vec::new();
    for (index, value) in tools.into_iter().enumerate() {
        let place = format!("{base}[{index}]");
        let tool: Tool = serde_json::from_value(value)
            .map_err(|source| ToolsError::NotATool { place: place.clone(), source })?;
        if let Some(first) = places.insert(tool.name.clone(), place.clone()) {
            return Err(ToolsError::Twice { place, first, name: tool.name });
        }
        let names = match names::problem(&tool.name) {
            Some(problem) => Err(problem),
            None => Ok(names::claim(&tool.name, &mut taken)),
        };
        declared.push(DeclaredTool { tool, names });
    }
    Ok(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place() {
        for (text, expected) in [
            ("[", "is not JSON: EOF while parsing"),
            ("\"tools\"", "it is a text"),
            ("{\"messages\": []}", "an object without `tools`"),
            ("{\"tools\": {}}", "`tools` are not a list"),
            ("[{\"name\": \"a\", \"description\": \"\"}, 7]", "$[1]: "),
            ("{\"tools\": [{\"description\": \"\"}]}", "$.tools[0]: missing field `name`"),
            (
                "[{\"name\": \"a\", \"description\": \"\"}, {\"name\": \"a\", \"description\": \"\"}]",
                "$[1]: there is a tool `a` already, at $[0]",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
