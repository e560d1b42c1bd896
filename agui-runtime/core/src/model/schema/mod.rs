//! The JSON Schema subsets that model providers accept, as translations that lose nothing silently.

mod anthropic;
mod checked;
mod exclusive;
mod gemini;
mod joined;
mod openai;
mod openai_limits;
mod openapi;
mod place;
mod recursion;
mod strict;
mod walk;

use serde_json::Value;

use checked::{ProviderChecks, checked};
use joined::join_objects;
use place::{SchemaFault, SchemaPath};

/// The JSON Schema subset that a model provider accepts for tool arguments.
///
/// A translation is a pure function. A constraint unknown to the provider moves into the description, where the model reads it. A
/// schema that the provider cannot express is an error that names tool and path. Arguments are validated again before the tool
/// runs.
///
/// | dialect | accepts |
/// |---|---|
/// | [`JsonSchema`](Self::JsonSchema) | JSON Schema 2020-12, unchanged |
/// | [`OpenAi`](Self::OpenAi) | the same, but a `$ref` stands alone, and the root is a plain object |
/// | [`OpenAiStrict`](Self::OpenAiStrict) | every property is required, no maps, no tuples; an optional argument must be an `Option`. At most 5,000 properties, 1,000 enum values, and 120,000 characters in names and literals |
/// | [`Anthropic`](Self::Anthropic) | JSON Schema 2020-12 with a plain object at the root |
/// | [`AnthropicStrict`](Self::AnthropicStrict) | no maps, no tuples, no recursion, few formats; an argument may be optional |
/// | [`Gemini`](Self::Gemini) | OpenAPI's subset: no references, no maps, no tuples, a single type, only string enum values |
///
/// In the strict subsets, and at Gemini, an object has only the members that its schema lists.
///
/// ```
/// use agui_runtime::model::{SchemaDialect, ToolSpec};
/// use agui_runtime::prelude::*;
///
/// /// Looks up what an ingredient costs, in cents.
/// #[tool]
/// async fn price(name: String, kilos: Option<u32>) -> u32 {
///     180
/// }
///
/// let tool = ToolSpec::from_tool::<price>();
/// let strict = SchemaDialect::OpenAiStrict.translate(&tool.name, &tool.parameters)?;
/// assert_eq!(strict["required"], serde_json::json!(["name", "kilos"]));
/// # Ok::<(), agui_runtime::model::UnsupportedSchema>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaDialect {
    /// JSON Schema 2020-12: MCP, and AG-UI itself.
    JsonSchema,
    /// OpenAI's function calling without `strict`, and servers that imitate OpenAI.
    OpenAi,
    /// OpenAI's function calling with `strict`: arguments always fit the schema.
    OpenAiStrict,
    /// Anthropic's tools.
    Anthropic,
    /// Anthropic's tools with `strict`: arguments always fit the schema.
    AnthropicStrict,
    /// Gemini's function declarations.
    Gemini,
}

/// A schema that a dialect cannot express.
///
/// ```
/// use agui_runtime::model::SchemaDialect;
/// use serde_json::json;
///
/// let map = json!({ "type": "object", "properties": { "prices": { "type": "object", "additionalProperties": true } } });
/// let error = SchemaDialect::Gemini.translate("order", &map).unwrap_err();
/// assert_eq!(error.path, "/properties/prices/additionalProperties");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema of tool `{tool}` has no form for the model, at `{path}`: {reason}")]
#[non_exhaustive]
pub struct UnsupportedSchema {
    /// The tool name.
    pub tool: String,
    /// The path in the schema, a JSON Pointer (RFC 6901).
    pub path: String,
    /// The reason, and what to write instead.
    pub reason: String,
}

impl SchemaDialect {
    /// Translates the schema for a tool's arguments.
    ///
    /// # Errors
    /// [`UnsupportedSchema`] if the dialect cannot express a part.
    pub fn translate(self, tool: &str, schema: &Value) -> Result<Value, UnsupportedSchema> {
        if self == Self::JsonSchema {
            return Ok(schema.clone());
        }
        let translated = checked(schema, self.checks()).and_then(|schema| match self {
            Self::JsonSchema => Ok(schema),
            Self::OpenAi => openai::translate(&schema),
            Self::OpenAiStrict => join_objects(&schema).and_then(|schema| openai::translate_strict(&schema)),
            Self::Anthropic => {
                walk::plain_object(&schema, &SchemaPath::root()).map(|()| walk::without_dialect(&schema))
            }
            Self::AnthropicStrict => {
                join_objects(&schema).and_then(|schema| anthropic::translate_strict(&schema))
            }
            Self::Gemini => join_objects(&schema).and_then(|schema| gemini::translate(&schema)),
        });
        translated.map_err(|fault| unsupported(tool, fault))
    }

    /// Returns the provider's extra checks, beyond its dialect.
    fn checks(self) -> ProviderChecks {
        let is_anthropic = matches!(self, Self::Anthropic | Self::AnthropicStrict);
        ProviderChecks {
            refuses_name: is_anthropic.then_some(|name| !anthropic::takes_name(name)),
            states_required: !matches!(self, Self::OpenAi | Self::Anthropic),
            states_items: matches!(self, Self::OpenAi | Self::Anthropic | Self::Gemini),
        }
    }

    /// Translates for a server that cannot read references: each reference is replaced by its definition. A recursive type remains
    /// a reference, or is an error where the dialect has no references.
    ///
    /// # Errors
    /// [`UnsupportedSchema`] also if the schema grows beyond 20,000 values.
    pub fn translate_inlined(self, tool: &str, schema: &Value) -> Result<Value, UnsupportedSchema> {
        let inlined = join_objects(schema)
            .and_then(|schema| recursion::inline_references(&schema))
            .map_err(|fault| unsupported(tool, fault))?;
        self.translate(tool, &inlined)
    }
}

fn unsupported(tool: &str, fault: SchemaFault) -> UnsupportedSchema {
    UnsupportedSchema { tool: tool.to_owned(), path: fault.path, reason: fault.reason }
}
