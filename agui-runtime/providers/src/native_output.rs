//! Structured output of providers: the servers and models that have it, and the schemas that they take.

use agui_runtime_core::model::{OutputSpec, SchemaDialect, UnsupportedSchema};
use serde_json::{Map, Value, json};

use super::anthropic_model::AnthropicModel;
use super::chat_quirks::ChatQuirks;
use super::dialect::ProviderDialect;

/// The requests in which a server takes an output's schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NativeOutput {
    /// None: the model calls a tool.
    Never,
    /// Requests without tools: with both, the server refuses, or its model can no longer call a tool.
    WithoutTools,
    Always,
}

impl NativeOutput {
    /// Looks a model up.
    pub(super) fn of(dialect: ProviderDialect, model: &str, quirks: ChatQuirks) -> Self {
        match dialect {
            ProviderDialect::OpenAiResponses if is_older_openai(model) => Self::Never,
            ProviderDialect::OpenAiResponses => Self::Always,
            ProviderDialect::OpenAiChat if quirks.output == Self::Always && is_older_openai(model) => {
                Self::Never
            }
            ProviderDialect::OpenAiChat => quirks.output,
            ProviderDialect::Anthropic if AnthropicModel::from_name(model).has_structured_output() => {
                Self::Always
            }
            ProviderDialect::Anthropic => Self::Never,
            ProviderDialect::Gemini if is_older_gemini(model) => Self::WithoutTools,
            ProviderDialect::Gemini => Self::Always,
        }
    }

    pub(super) fn is_for(self, has_tools: bool) -> bool {
        match self {
            Self::Never => false,
            Self::WithoutTools => !has_tools,
            Self::Always => true,
        }
    }
}

/// True for OpenAI's models from before structured output.
fn is_older_openai(model: &str) -> bool {
    model == "gpt-4"
        || ["gpt-3", "gpt-4-", "o1-mini", "o1-preview"].iter().any(|older| model.starts_with(older))
}

/// True unless the name has a version that takes schemas beside functions, which is 3 or later.
fn is_older_gemini(model: &str) -> bool {
    let version = model.split_once("gemini-").map_or("", |(_, version)| version);
    let major =
        version.split(|c: char| !c.is_ascii_digit()).next().and_then(|major| major.parse::<u32>().ok());
    major.is_none_or(|major| major < 3)
}

/// An output in the provider's own form.
pub(super) struct RequestedOutput<'r> {
    spec: &'r OutputSpec,
    schema: Value,
}

impl<'r> RequestedOutput<'r> {
    pub(super) fn new(dialect: ProviderDialect, spec: &'r OutputSpec) -> Result<Self, UnsupportedSchema> {
        let schema = match dialect {
            ProviderDialect::OpenAiChat | ProviderDialect::OpenAiResponses => {
                let mut schema = spec.schema.clone();
                require_all(&mut schema);
                SchemaDialect::OpenAiStrict.translate(&spec.name, &schema)
            }
            ProviderDialect::Anthropic => SchemaDialect::AnthropicStrict.translate(&spec.name, &spec.schema),
            ProviderDialect::Gemini => SchemaDialect::Gemini.translate(&spec.name, &spec.schema),
        }?;
        Ok(Self { spec, schema })
    }

    /// Returns the schema.
    pub(super) fn schema(&self) -> Value {
        self.schema.clone()
    }

    /// Returns the members by which OpenAI's protocols name a schema.
    pub(super) fn openai_members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("name".to_owned(), self.spec.name.as_str().into());
        if !self.spec.description.is_empty() {
            members.insert("description".to_owned(), self.spec.description.as_str().into());
        }
        members.insert("strict".to_owned(), true.into());
        members.insert("schema".to_owned(), self.schema());
        members
    }
}

/// Makes all members required. OpenAI demands this, and a type reads a member that may be left out.
fn require_all(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::Object(properties)) = members.get("properties") {
        let names: Vec<_> = properties.keys().cloned().collect();
        members.insert("required".to_owned(), json!(names));
    }
    for (keyword, inside) in members {
        match (keyword.as_str(), inside) {
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                named.values_mut().for_each(require_all);
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(require_all);
            }
            ("items", inside) => require_all(inside),
            _ => {}
        }
    }
}

/// True if a provider's refusal names structured output, so that later requests need not try. A refusal of an attachment names a
/// MIME type too, and is not meant.
pub(super) fn names_output(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    let names = [
        "response_format",
        "response format",
        "json_schema",
        "text.format",
        "output_config",
        "output format",
        "responseschema",
        "response_schema",
        "response mime type",
        "responsemimetype",
        "response_mime_type",
        "structured output",
    ];
    names.iter().any(|name| message.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_says_whether_it_has_structured_output() {
        let (none, alone, all) = (NativeOutput::Never, NativeOutput::WithoutTools, NativeOutput::Always);
        let anthropic = ProviderDialect::Anthropic;
        for (dialect, model, expected) in [
            (ProviderDialect::OpenAiResponses, "gpt-5-mini", all),
            (ProviderDialect::OpenAiResponses, "my-deployment", all),
            (ProviderDialect::OpenAiResponses, "gpt-4", none),
            (ProviderDialect::OpenAiChat, "gpt-4o", all),
            (ProviderDialect::OpenAiChat, "gpt-4-turbo", none),
            (anthropic, "claude-sonnet-4-5", all),
            (anthropic, "claude-opus-4-1", all),
            (anthropic, "claude-sonnet-4-20250514", none),
            (anthropic, "claude-haiku-5-5", all),
            (anthropic, "another", none),
            (ProviderDialect::Gemini, "gemini-2.5-flash", alone),
            (ProviderDialect::Gemini, "gemini-3-pro-preview", all),
            (ProviderDialect::Gemini, "gemini-4-argon", all),
            (ProviderDialect::Gemini, "gemini-flash-latest", alone),
        ] {
            assert_eq!(NativeOutput::of(dialect, model, ChatQuirks::OPENAI), expected, "{model}");
        }
        let chat = ProviderDialect::OpenAiChat;
        assert_eq!(NativeOutput::of(chat, "gpt-4", ChatQuirks::MISTRAL), alone);
        assert_eq!(NativeOutput::of(chat, "deepseek-chat", ChatQuirks::IMITATOR), none);
    }

    #[test]
    fn a_refused_attachment_is_no_refused_output() {
        assert!(names_output("a response mime type: 'application/json' is unsupported"));
        assert!(names_output("Invalid value at 'generation_config.response_mime_type'"));
        assert!(!names_output("Unsupported MIME type: application/zip"));
    }

    #[test]
    fn members_that_may_be_left_out_are_required_at_openai() {
        let item = json!({ "type": "object", "properties": { "enum": { "type": "string", "enum": ["a"] } } });
        let schema = json!({ "type": "object", "properties": {
            "list": { "type": "array", "items": { "$ref": "#/$defs/Item" } }, "title": { "type": "string" },
        }, "$defs": { "Item": item } });
        let spec = OutputSpec::new("A list.", schema);
        let output = RequestedOutput::new(ProviderDialect::OpenAiChat, &spec).unwrap();
        let members = output.openai_members();
        assert_eq!(members["schema"]["required"], json!(["list", "title"]));
        assert_eq!(members["schema"]["$defs"]["Item"]["required"], json!(["enum"]));
        assert_eq!(members["schema"]["additionalProperties"], false);
        assert_eq!((&members["name"], &members["description"]), (&json!("final_result"), &json!("A list.")));
    }
}
