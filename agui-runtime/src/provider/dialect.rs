//! The protocols of providers: each writes a prompt and reads an answer.

use reqwest::header::{AUTHORIZATION, HeaderName};
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
    /// Returns the path of the requests to a model, below the address of the provider.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAiChat => "chat/completions".to_owned(),
            Self::OpenAiResponses => "responses".to_owned(),
            Self::Anthropic => "messages".to_owned(),
            Self::Gemini => format!("models/{model}:streamGenerateContent?alt=sse"),
        }
    }

    /// Returns the header that carries a key, and its value.
    pub(super) fn key_header(self, key: &str) -> (HeaderName, String) {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => (AUTHORIZATION, format!("Bearer {key}")),
            Self::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
            Self::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        }
    }

    /// Returns the header that names the version of the protocol, if it has one.
    pub(super) fn version(self) -> Option<(HeaderName, &'static str)> {
        (self == Self::Anthropic).then_some((HeaderName::from_static("anthropic-version"), "2023-06-01"))
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

    /// Returns the body.
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
