//! The subsets of JSON Schema that model providers accept, as translations that lose nothing silently.

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

use checked::{Checks, checked};
use joined::joined;
use place::{Fault, Place};

/// The subset of JSON Schema that a model provider accepts for the arguments of a tool.
///
/// A translation is a pure function. A constraint that the provider does not know is moved into the description, where
/// the model reads it; a schema that has no form at the provider is an error that names the tool and the place. The
/// arguments of a call are checked again before its tool runs.
///
/// | dialect | accepts |
/// |---|---|
/// | [`JsonSchema`](Self::JsonSchema) | JSON Schema 2020-12, unchanged |
/// | [`OpenAi`](Self::OpenAi) | the same, but a `$ref` stands alone, and the root is a plain object |
/// | [`OpenAiStrict`](Self::OpenAiStrict) | every property is required, no maps, no tuples; an optional argument must be an `Option`. At most 5,000 properties, 1,000 values of enums and 120,000 characters of names and literals |
/// | [`Anthropic`](Self::Anthropic) | JSON Schema 2020-12 with a plain object at the root |
/// | [`AnthropicStrict`](Self::AnthropicStrict) | no maps, no tuples, no recursion, few formats; an argument may be optional |
/// | [`Gemini`](Self::Gemini) | OpenAPI's subset: no references, no maps, no tuples, one type each, texts alone as values of an enum |
///
/// In the strict subsets, and at Gemini, an object has the members that its schema lists, and no others.
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
/// let tool = ToolSpec::of::<price>();
/// let strict = SchemaDialect::OpenAiStrict.translate(&tool.name, &tool.parameters)?;
/// assert_eq!(strict["required"], serde_json::json!(["name", "kilos"]));
/// # Ok::<(), agui_runtime::model::UnsupportedSchema>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaDialect {
    /// JSON Schema 2020-12: MCP, and AG-UI itself.
    JsonSchema,
    /// OpenAI's function calling without `strict`, and the servers that imitate it.
    OpenAi,
    /// OpenAI's function calling with `strict`: the model cannot write arguments that do not fit.
    OpenAiStrict,
    /// Anthropic's tools.
    Anthropic,
    /// Anthropic's tools with `strict`: the model cannot write arguments that do not fit.
    AnthropicStrict,
    /// Gemini's function declarations.
    Gemini,
}

/// A schema that has no form in a dialect.
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
    /// The name of the tool.
    pub tool: String,
    /// The place in the schema, as a JSON Pointer (RFC 6901).
    pub path: String,
    /// The reason, and what to write instead.
    pub reason: String,
}

impl SchemaDialect {
    /// Translates the schema of a tool's arguments.
    ///
    /// # Errors
    /// [`UnsupportedSchema`] if the dialect has no form for a part of it.
    ///
    /// ```
    /// use agui_runtime::model::SchemaDialect;
    /// use serde_json::json;
    ///
    /// let schema = json!({ "type": "object", "properties": { "name": { "type": ["string", "null"] } } });
    /// let gemini = SchemaDialect::Gemini.translate("order", &schema)?;
    /// assert_eq!(gemini["properties"]["name"], json!({ "type": "string", "nullable": true }));
    /// # Ok::<(), agui_runtime::model::UnsupportedSchema>(())
    /// ```
    pub fn translate(self, tool: &str, schema: &Value) -> Result<Value, UnsupportedSchema> {
        if self == Self::JsonSchema {
            return Ok(schema.clone());
        }
        let translated = checked(schema, self.checks()).and_then(|schema| match self {
            Self::JsonSchema => Ok(schema),
            Self::OpenAi => openai::translate(&schema),
            Self::OpenAiStrict => joined(&schema).and_then(|schema| openai::translate_strict(&schema)),
            Self::Anthropic => {
                walk::plain_object(&schema, &Place::root()).map(|()| walk::without_dialect(&schema))
            }
            Self::AnthropicStrict => joined(&schema).and_then(|schema| anthropic::translate_strict(&schema)),
            Self::Gemini => joined(&schema).and_then(|schema| gemini::translate(&schema)),
        });
        translated.map_err(|fault| unsupported(tool, fault))
    }

    /// Returns what the provider checks besides the forms of JSON Schema.
    fn checks(self) -> Checks {
        let is_anthropic = matches!(self, Self::Anthropic | Self::AnthropicStrict);
        Checks {
            refuses_name: is_anthropic.then_some(|name| !anthropic::takes_name(name)),
            states_required: !matches!(self, Self::OpenAi | Self::Anthropic),
            states_items: matches!(self, Self::OpenAi | Self::Anthropic | Self::Gemini),
        }
    }

    /// Does the same for a server that does not read references: each definition takes the place of the references to it.
    /// A type that contains itself stays a reference, or is an error where the dialect has none.
    ///
    /// # Errors
    /// [`UnsupportedSchema`] also if the schema grows beyond 20,000 values.
    ///
    /// ```
    /// use agui_runtime::model::SchemaDialect;
    /// use serde_json::json;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": { "from": { "$ref": "#/$defs/Place" } },
    ///     "$defs": { "Place": { "type": "string" } },
    /// });
    /// let inlined = SchemaDialect::OpenAi.translate_inlined("trip", &schema)?;
    /// assert_eq!(inlined, json!({ "type": "object", "properties": { "from": { "type": "string" } } }));
    /// # Ok::<(), agui_runtime::model::UnsupportedSchema>(())
    /// ```
    pub fn translate_inlined(self, tool: &str, schema: &Value) -> Result<Value, UnsupportedSchema> {
        let inlined = joined(schema)
            .and_then(|schema| recursion::inlined(&schema))
            .map_err(|fault| unsupported(tool, fault))?;
        self.translate(tool, &inlined)
    }
}

fn unsupported(tool: &str, fault: Fault) -> UnsupportedSchema {
    UnsupportedSchema { tool: tool.to_owned(), path: fault.path, reason: fault.reason }
}
