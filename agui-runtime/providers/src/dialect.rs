//! Provider protocols: each writes a prompt and reads a response.

use agui_runtime_core::model::{ModelError, Prompt, SchemaDialect, ToolSpec};
use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::{Map, Value};

use super::anthropic_model::AnthropicModel;
use super::chat_quirks::ChatQuirks;
use super::frame::ResponseFrame;
use super::native_output::RequestedOutput;
use super::options::ModelOptions;
use super::reply::ReplyBuilder;
use super::server_seal::ServerSeal;
use super::{
    anthropic, anthropic_reader, chat_reader, gemini, gemini_reader, ignored_members, openai_chat,
    openai_responses,
};

/// A provider protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProviderDialect {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini,
}

/// The members that hold an output's schema beside other settings, which a program may set without losing the schema.
const HOLDS_OUTPUT: [&str; 3] = ["text", "output_config", "generationConfig"];

/// A model request: the prompt, the tools in the dialect's schema, and the options.
pub(super) struct ModelRequest<'r> {
    pub(super) model: &'r str,
    pub(super) prompt: &'r Prompt,
    pub(super) tools: &'r [ToolSpec],
    /// The tools that the provider loads when a search finds them; empty if all tools go with the request.
    pub(super) deferred: &'r [ToolSpec],
    pub(super) options: &'r ModelOptions,
    /// Marks values that may go back to this server only.
    pub(super) seal: &'r ServerSeal,
    pub(super) quirks: ChatQuirks,
    /// The output, if the reply is to be JSON by a schema.
    pub(super) output: Option<RequestedOutput<'r>>,
}

impl ModelRequest<'_> {
    /// Returns a tool that the provider loads later.
    pub(super) fn deferred_tool(&self, name: &str) -> Option<&ToolSpec> {
        self.deferred.iter().find(|tool| tool.name == name)
    }

    /// Returns the tools that go with the request.
    pub(super) fn loaded_tools(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().filter(|tool| self.deferred_tool(&tool.name).is_none())
    }
}

/// Reads one response, frame by frame.
pub(super) trait ResponseReader: Send {
    /// Takes the known members out of a frame and adds their content to the reply. True if the frame is the last.
    fn read(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<bool, ModelError>;

    /// Adds buffered content to the reply at the stream's end.
    fn finish(&mut self, _: &mut ReplyBuilder) -> Result<(), ModelError> {
        Ok(())
    }
}

impl ProviderDialect {
    /// Returns the request path for a model, relative to the provider's address.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAiChat => "chat/completions".to_owned(),
            Self::OpenAiResponses => "responses".to_owned(),
            Self::Anthropic => "messages".to_owned(),
            Self::Gemini => format!("models/{model}:streamGenerateContent?alt=sse"),
        }
    }

    /// Returns the header that carries the key, and its value.
    pub(super) fn key_header(self, key: &str) -> (HeaderName, String) {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => (AUTHORIZATION, format!("Bearer {key}")),
            Self::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
            Self::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        }
    }

    /// Returns the header with the protocol version, if the protocol has one.
    pub(super) fn version(self) -> Option<(HeaderName, &'static str)> {
        (self == Self::Anthropic).then_some((HeaderName::from_static("anthropic-version"), "2023-06-01"))
    }

    /// True if the model loads tools that a search finds.
    pub(super) fn has_deferred_tools(self, model: &str) -> bool {
        match self {
            Self::Anthropic => AnthropicModel::from_name(model).has_deferred_tools(),
            Self::OpenAiResponses => openai_responses::has_tool_search(model),
            Self::OpenAiChat | Self::Gemini => false,
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

    /// Returns the request body, with the options' own members.
    pub(super) fn body(self, request: &ModelRequest<'_>) -> Result<Map<String, Value>, ModelError> {
        let mut body = match self {
            Self::OpenAiChat => openai_chat::body(request),
            Self::OpenAiResponses => openai_responses::body(request),
            Self::Anthropic => anthropic::body(request),
            Self::Gemini => gemini::body(request),
        }?;
        for (name, extra) in request.options.extra.clone() {
            match (body.get_mut(&name), extra) {
                (Some(Value::Object(members)), Value::Object(more)) if HOLDS_OUTPUT.contains(&&*name) => {
                    members.extend(more);
                }
                (_, extra) => {
                    body.insert(name, extra);
                }
            }
        }
        Ok(body)
    }

    pub(super) fn reader(self) -> Box<dyn ResponseReader> {
        match self {
            Self::OpenAiChat => Box::<chat_reader::ChatReader>::default(),
            Self::OpenAiResponses => Box::<openai_responses::ResponsesReader>::default(),
            Self::Anthropic => Box::<anthropic_reader::AnthropicReader>::default(),
            Self::Gemini => Box::<gemini_reader::GeminiReader>::default(),
        }
    }

    /// Returns the members that identify a frame in this dialect.
    pub(super) fn members(self) -> &'static [&'static str] {
        match self {
            Self::OpenAiChat => &["choices", "usage"],
            Self::OpenAiResponses => &["type", "output"],
            Self::Anthropic => &["type", "content"],
            Self::Gemini => &["candidates", "usageMetadata", "promptFeedback"],
        }
    }

    /// Returns the members known to mean nothing here.
    pub(super) fn ignored_members(self) -> &'static [&'static str] {
        match self {
            Self::OpenAiChat => ignored_members::CHAT,
            Self::OpenAiResponses => ignored_members::RESPONSES,
            Self::Anthropic => ignored_members::ANTHROPIC,
            Self::Gemini => ignored_members::GEMINI,
        }
    }
}
