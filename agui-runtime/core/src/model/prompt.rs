//! The prompt: instructions, conversation, tools.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::output_spec::OutputSpec;
use super::private::PromptPrivacy;
use super::tool_choice::ToolChoice;
use crate::agent::Tool;
use crate::manifest::ToolSource;
use crate::protocol::{Content, ContentPart, Context, EncryptedValue, ToolAnnotations, ToolCallId, ToolSide};

/// A prompt: everything that the model reads before it writes its next turn.
///
/// [`Run::chat`](crate::Run::chat) makes one for each turn, and a [`ChatModel`](super::ChatModel) translates the prompt for its
/// provider. Prompts follow the rules that all providers share: a turn's results stand directly behind the turn, in call order;
/// every call has exactly one result; two user messages, or two assistant messages, never follow each other.
///
/// ```
/// use agui_runtime::model::{Prompt, PromptMessage};
///
/// let prompt = Prompt::new([PromptMessage::user("What does rice cost?")]).with_instructions("Be brief.");
/// assert_eq!(prompt.last_user_text().as_deref(), Some("What does rice cost?"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Prompt {
    /// The agent's instructions: the only prompt text that directs the model.
    pub instructions: Option<String>,
    /// The application's context: data, not instructions (AG-UI 1.0, section "Context, Tool").
    pub context: Vec<Context>,
    /// The conversation, oldest message first.
    pub messages: Vec<PromptMessage>,
    /// The tools that the model may call.
    pub tools: Arc<[ToolSpec]>,
    /// The tools that the model finds by a [search](super::Chat::search_tools), in the same order in each turn: also those that are
    /// found, and so stand in `tools`. For providers with tools that are loaded later; others do not read them.
    pub deferred_tools: Arc<[ToolSpec]>,
    /// The rule for calls in this turn.
    pub tool_choice: ToolChoice,
    /// The output in the provider's own form: the reply's text is JSON by this schema. `None` without an output, and if a tool gives
    /// the output.
    pub output: Option<Arc<OutputSpec>>,
    pub(super) privacy: PromptPrivacy,
}

impl Prompt {
    /// Returns a prompt with a conversation, without tools; [`with_instructions`](Self::with_instructions) adds instructions.
    #[must_use]
    pub fn new(messages: impl Into<Vec<PromptMessage>>) -> Self {
        Self { messages: messages.into(), ..Self::default() }
    }

    /// Sets the instructions.
    #[must_use]
    pub fn with_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Appends text to the last user message, or adds a message: two user messages never follow each other.
    pub(super) fn add_to_user(&mut self, text: &str) {
        let part = crate::protocol::TextPart::new(text).into();
        match self.messages.last_mut() {
            Some(PromptMessage::User(parts)) => parts.push(part),
            _ => self.messages.push(PromptMessage::User(vec![part])),
        }
    }

    /// Returns the last user message's text, if that message ends the conversation.
    #[must_use]
    pub fn last_user_text(&self) -> Option<String> {
        match self.messages.last()? {
            PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().into_owned()),
            _ => None,
        }
    }

    /// Returns the last turn's tool results, if they end the conversation; otherwise an empty slice. Scripted models choose
    /// replies by them.
    ///
    /// ```
    /// use agui_runtime::model::{Prompt, PromptMessage, ToolResult};
    ///
    /// let answer = ToolResult::new("call-1", "price", "180");
    /// let prompt = Prompt::new([PromptMessage::Tools(vec![answer.clone()])]);
    /// assert_eq!(prompt.last_results(), [answer]);
    /// ```
    #[must_use]
    pub fn last_results(&self) -> &[ToolResult] {
        match self.messages.last() {
            Some(PromptMessage::Tools(answers)) => answers,
            _ => &[],
        }
    }
}

/// A [`Prompt`] message.
///
/// Exhaustive on purpose: a model that does not translate a new kind is a compile error.
///
/// ```
/// use agui_runtime::model::{AssistantPart, PromptMessage};
///
/// let messages = [
///     PromptMessage::user("What does rice cost?"),
///     PromptMessage::Assistant(vec![AssistantPart::text("180 cents.")]),
/// ];
/// assert!(matches!(&messages[0], PromptMessage::User(parts) if parts.len() == 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PromptMessage {
    /// The client's system or developer message, present only if the agent [allows](super::HistoryPolicy::allow_system_messages)
    /// such messages.
    System(String),
    /// A user message: text, images, files.
    User(Vec<ContentPart>),
    /// A model turn, in writing order.
    Assistant(Vec<AssistantPart>),
    /// The results for all calls in the preceding turn, in call order.
    Tools(Vec<ToolResult>),
}

impl PromptMessage {
    /// Returns a [`User`](Self::User) message with only text.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(vec![crate::protocol::TextPart::new(text).into()])
    }
}

/// A part of a model turn.
///
/// Exhaustive on purpose, as [`PromptMessage`] is.
///
/// ```
/// use agui_runtime::model::{AssistantPart, ModelCall};
///
/// let part = AssistantPart::Call(ModelCall::new("call-1", "price", r#"{"name":"rice"}"#));
/// assert!(matches!(part, AssistantPart::Call(call) if call.tool == "price"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssistantPart {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
        /// The provider's encrypted form, which must go back unchanged.
        encrypted: Option<EncryptedValue>,
    },
    /// Reasoning.
    Reasoning {
        /// The readable text; empty if the provider sends none.
        text: String,
        /// The provider's signature or encrypted form, which must go back unchanged.
        encrypted: Option<EncryptedValue>,
    },
    /// A tool call.
    Call(ModelCall),
}

impl AssistantPart {
    /// Returns a [`Text`](Self::Text) part without an encrypted form.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), encrypted: None }
    }
}

/// A tool call in a model conversation.
///
/// ```
/// use agui_runtime::model::ModelCall;
///
/// let call = ModelCall::new("call-1", "price", r#"{"name":"rice"}"#);
/// assert_eq!(call.arguments, r#"{"name":"rice"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelCall {
    /// The id that links call and result.
    pub id: ToolCallId,
    /// The tool name.
    pub tool: String,
    /// The arguments as the model wrote them: not always valid JSON, and not always valid for the tool.
    pub arguments: String,
    /// The provider's call signature, which must go back unchanged.
    pub encrypted: Option<EncryptedValue>,
}

impl ModelCall {
    /// Returns a call without a signature, for [`AssistantPart::Call`].
    #[must_use]
    pub fn new(id: impl Into<ToolCallId>, tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), tool: tool.into(), arguments: arguments.into(), encrypted: None }
    }
}

/// A tool result in a model conversation.
///
/// ```
/// use agui_runtime::model::ToolResult;
///
/// let answer = ToolResult::new("call-1", "price", "180");
/// assert!(!answer.failed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call id.
    pub id: ToolCallId,
    /// The tool name.
    pub tool: String,
    /// The result: JSON text, a string without quotes, or parts.
    pub content: Content,
    /// True if the tool failed, or the call could not be made.
    pub failed: bool,
    /// The tools that a search found: their names, for providers that load [deferred tools](Prompt::deferred_tools) by name.
    pub found_tools: Vec<String>,
}

impl ToolResult {
    /// Returns a successful call's result, for [`PromptMessage::Tools`].
    #[must_use]
    pub fn new(id: impl Into<ToolCallId>, tool: impl Into<String>, content: impl Into<Content>) -> Self {
        Self {
            id: id.into(),
            tool: tool.into(),
            content: content.into(),
            failed: false,
            found_tools: Vec::new(),
        }
    }

    /// Deserializes the result as the tool's return type: from JSON, or from a plain string.
    ///
    /// # Errors
    /// The JSON error if the content is not a `T`, for example after the tool [failed](Self::error).
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        let text = self.content.text();
        serde_json::from_str(&text)
            .or_else(|error| serde_json::from_value(Value::from(&*text)).map_err(|_| error))
    }

    /// Returns the reason why the tool failed, or why the call could not be made; `None` for a success.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.failed.then(|| match self.value::<Value>() {
            Ok(Value::Object(members)) if members.contains_key("error") => members
                .get("error")
                .and_then(Value::as_str)
                .map_or_else(|| self.content.text().to_string(), str::to_owned),
            _ => self.content.text().to_string(),
        })
    }

    pub(super) fn failed(id: ToolCallId, tool: String, why: &str) -> Self {
        let content = Content::Text(crate::agent::tool::failure_content(why));
        Self { id, tool, content, failed: true, found_tools: Vec::new() }
    }
}

/// A tool as a model reads it: name, purpose, and the arguments' JSON Schema.
///
/// The schema is JSON Schema 2020-12, as in the manifest. A [`ChatModel`](super::ChatModel) whose provider accepts only a subset
/// translates the schema.
///
/// ```
/// use agui_runtime::model::ToolSpec;
/// use serde_json::json;
///
/// let tool = ToolSpec::new("search", "Searches the page.", json!({ "type": "object" }));
/// assert_eq!(tool.name, "search");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name with which the model calls the tool.
    pub name: String,
    /// The purpose, for the model.
    pub description: String,
    /// The arguments' JSON Schema, an object.
    pub parameters: Value,
    /// The side that runs the tool.
    pub side: ToolSide,
    /// The title, and behaviour hints. Model provider protocols have no place for them.
    pub annotations: ToolAnnotations,
}

impl ToolSpec {
    /// Returns a typed tool's spec, for agents that call their model directly, as in the [`SchemaDialect`](super::SchemaDialect)
    /// example.
    #[must_use]
    pub fn from_tool<T: Tool>() -> Self {
        Self::declared(&T::source())
    }

    pub(super) fn declared(tool: &ToolSource) -> Self {
        Self {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            parameters: tool.arguments.root_schema().to_value(),
            side: tool.side,
            annotations: tool.annotations.clone(),
        }
    }

    /// Returns a tool with the side [`ToolSide::Frontend`].
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters,
            side: ToolSide::Frontend,
            annotations: ToolAnnotations::NONE,
        }
    }
}
