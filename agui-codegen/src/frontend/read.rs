//! The file that declares the tools.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::protocol::Tool;
use serde_json::Value;

use super::names::{self, Names};

/// A tool as the frontend declares it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Declared {
    /// What the frontend says.
    pub tool: Tool,
    /// What it is called in Rust; the reason where it cannot be a tool of an agent.
    pub names: Result<Names, String>,
}

/// Why a file declares no tools.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// It is no JSON.
    #[error("is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is something else.
    #[error("is neither a list of tools nor the input of a run, which has one at `tools`: it is {found}")]
    NotTools {
        /// What it is.
        found: &'static str,
    },
    /// One of the tools is none.
    #[error("{place}: {source}")]
    NotATool {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Two tools have one name.
    #[error("{place}: there is a tool `{name}` already, at {first}")]
    Twice {
        /// Where the second stands.
        place: String,
        /// Where the first does.
        first: String,
        /// Their name.
        name: String,
    },
}

/// The tools in `text`: a JSON array of AG-UI tools, or a `RunAgentInput`, whose `tools` they are.
///
/// ```
/// let declared = agui_codegen::frontend::read(r#"[{"name": "showMap", "description": "Shows a map."}]"#)?;
/// assert_eq!(declared[0].names.as_ref().unwrap().ident, "show_map");
/// # Ok::<(), agui_codegen::frontend::ToolsError>(())
/// ```
///
/// # Errors
///
/// [`ToolsError`], with the place.
pub fn read(text: &str) -> Result<Vec<Declared>, ToolsError> {
    let (tools, base) = match serde_json::from_str(text)? {
        Value::Array(tools) => (tools, "$"),
        Value::Object(mut input) => match input.remove("tools") {
            Some(Value::Array(tools)) => (tools, "$.tools"),
            Some(_) => return Err(ToolsError::NotTools { found: "an object whose `tools` are no list" }),
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
        declared.push(Declared { tool, names });
    }
    Ok(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_the_place() {
        for (text, expected) in [
            ("[", "is no JSON: EOF while parsing"),
            ("\"tools\"", "it is a text"),
            ("{\"messages\": []}", "an object without `tools`"),
            ("{\"tools\": {}}", "`tools` are no list"),
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
