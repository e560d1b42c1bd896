//! The protocols of providers: each writes a prompt and reads an answer.

use genai::adapter::AdapterKind;
use serde_json::{Map, Value};

use super::options::ModelOptions;
use super::{anthropic, gemini, openai_chat, openai_responses};
use crate::model::{Delta, ModelError, Prompt, SchemaDialect, ToolSpec};

/// A protocol of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini,
}

/// The request to a model: the prompt, the tools in the dialect's schema, and the options.
pub(super) struct Request<'r> {
    pub(super) model: &'r str,
    pub(super) prompt: &'r Prompt,
    pub(super) tools: &'r [ToolSpec],
    pub(super) options: &'r ModelOptions,
}

/// Reads one answer, frame by frame.
pub(super) trait Reader: Send {
    /// Reads the data of a frame, and appends its deltas.
    fn read(&mut self, data: &str, out: &mut Vec<Delta>) -> Result<(), ModelError>;

    /// The connection has ended: appends the end, if the provider had marked it.
    fn close(&mut self, out: &mut Vec<Delta>);
}

impl Dialect {
    /// Returns genai's word for it.
    pub(super) fn adapter(self) -> AdapterKind {
        match self {
            Self::OpenAiChat => AdapterKind::OpenAI,
            Self::OpenAiResponses => AdapterKind::OpenAIResp,
            Self::Anthropic => AdapterKind::Anthropic,
            Self::Gemini => AdapterKind::Gemini,
        }
    }

    pub(super) fn schema(self, options: &ModelOptions) -> SchemaDialect {
        match (self, options.strict_tools) {
            (Self::OpenAiChat | Self::OpenAiResponses, false) => SchemaDialect::OpenAi,
            (Self::OpenAiChat | Self::OpenAiResponses, true) => SchemaDialect::OpenAiStrict,
            (Self::Anthropic, false) => SchemaDialect::Anthropic,
            (Self::Anthropic, true) => SchemaDialect::AnthropicStrict,
            (Self::Gemini, _) => SchemaDialect::Gemini,
        }
    }

    /// Returns the members of the body that carry the conversation.
    pub(super) fn body(self, request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
        let mut body = match self {
            Self::OpenAiChat => openai_chat::body(request),
            Self::OpenAiResponses => openai_responses::body(request),
            Self::Anthropic => anthropic::body(request),
            Self::Gemini => gemini::body(request),
        }?;
        body.extend(request.options.extra.clone());
        Ok(body)
    }

    pub(super) fn reader(self) -> Box<dyn Reader> {
        match self {
            Self::OpenAiChat => Box::<openai_chat::Answer>::default(),
            Self::OpenAiResponses => Box::<openai_responses::Answer>::default(),
            Self::Anthropic => Box::<anthropic::Answer>::default(),
            Self::Gemini => Box::<gemini::Answer>::default(),
        }
    }
}

/// Reads the data of a frame.
pub(super) fn json(data: &str) -> Result<Value, ModelError> {
    serde_json::from_str(data).map_err(|error| ModelError::Malformed(format!("a frame is no JSON: {error}")))
}

/// Returns the text of a member, if it is there and not empty.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Returns the number of a member.
pub(super) fn index(value: &Value, pointer: &str) -> Option<u32> {
    value.pointer(pointer).and_then(Value::as_u64).and_then(|index| u32::try_from(index).ok())
}
