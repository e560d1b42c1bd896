//! The output that a provider's own structured output makes a model write.

use serde_json::Value;

use crate::agent::tool::FINAL_RESULT;

/// A chat's output, for a provider with structured output of its own: the reply's text is then JSON by this schema.
///
/// [`Chat::output`](super::Chat::output) puts one into [`Prompt::output`](super::Prompt::output) if the model
/// [takes](super::ChatModel::takes_output) that output. The schema is JSON Schema 2020-12 with an object at the root, as for
/// [`ToolSpec`](super::ToolSpec).
///
/// ```
/// use agui_runtime::model::OutputSpec;
/// use serde_json::json;
///
/// let output = OutputSpec::new("A city.", json!({ "type": "object", "properties": { "name": { "type": "string" } } }));
/// assert_eq!(output.name, "final_result");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutputSpec {
    /// The name, for providers that want a name beside the schema.
    pub name: String,
    /// The purpose, for the model; may be empty.
    pub description: String,
    /// The JSON Schema, an object.
    pub schema: Value,
}

impl OutputSpec {
    /// Returns an output with the name that [`Chat::output`](super::Chat::output) uses.
    #[must_use]
    pub fn new(description: impl Into<String>, schema: Value) -> Self {
        Self { name: FINAL_RESULT.to_owned(), description: description.into(), schema }
    }
}
