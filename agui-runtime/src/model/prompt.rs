//! The request to a model: instructions, conversation, tools.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::agent::Tool;
use crate::manifest::ToolSource;
use crate::protocol::{Content, ContentPart, Context, ToolAnnotations, ToolCallId, ToolSide};

/// The request to a model: everything that the model reads before it writes its next turn.
///
/// [`Run::chat`](crate::Run::chat) makes one for each turn, and a [`ChatModel`](super::ChatModel) translates it to the
/// format of its provider. It follows the rules that all providers share: the results of a turn's calls stand directly
/// behind the turn, in the order of the calls; every call has exactly one result; two messages of the user, or of the
/// assistant, never follow each other.
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
    /// The instructions of the agent: the only text of the prompt that directs the model.
    pub instructions: Option<String>,
    /// The context that the application gives the model: data, not instructions (AG-UI 1.0, section "Context, Tool").
    pub context: Vec<Context>,
    /// The conversation, oldest message first.
    pub messages: Vec<PromptMessage>,
    /// The tools that the model may call.
    pub tools: Arc<[ToolSpec]>,
}

impl Prompt {
    /// Returns a prompt of a conversation, without instructions and tools.
    ///
    /// ```
    /// use agui_runtime::model::{Prompt, PromptMessage};
    ///
    /// assert_eq!(Prompt::new([PromptMessage::user("Rice?")]).messages.len(), 1);
    /// ```
    #[must_use]
    pub fn new(messages: impl Into<Vec<PromptMessage>>) -> Self {
        Self { messages: messages.into(), ..Self::default() }
    }

    /// Sets the instructions.
    ///
    /// ```
    /// use agui_runtime::model::Prompt;
    ///
    /// let prompt = Prompt::new([]).with_instructions("Be brief.");
    /// assert_eq!(prompt.instructions.as_deref(), Some("Be brief."));
    /// ```
    #[must_use]
    pub fn with_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Appends a text to the user's last message, or adds a message: two of the user never follow each other.
    pub(super) fn add_to_user(&mut self, text: &str) {
        let part = crate::protocol::TextPart::new(text).into();
        match self.messages.last_mut() {
            Some(PromptMessage::User(parts)) => parts.push(part),
            _ => self.messages.push(PromptMessage::User(vec![part])),
        }
    }

    /// Returns the text of the user's last message, if it is the last message of the conversation.
    ///
    /// ```
    /// use agui_runtime::model::{Prompt, PromptMessage};
    ///
    /// assert_eq!(Prompt::new([PromptMessage::user("Rice?")]).last_user_text().as_deref(), Some("Rice?"));
    /// assert_eq!(Prompt::new([]).last_user_text(), None);
    /// ```
    #[must_use]
    pub fn last_user_text(&self) -> Option<String> {
        match self.messages.last()? {
            PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().into_owned()),
            _ => None,
        }
    }

    /// Returns the results of the calls of the last turn, if they are the last message of the conversation; otherwise
    /// none. Scripted models answer by them.
    ///
    /// ```
    /// use agui_runtime::model::{Prompt, PromptMessage, ToolAnswer};
    ///
    /// let answer = ToolAnswer::new("call-1", "price", "180");
    /// let prompt = Prompt::new([PromptMessage::Tools(vec![answer.clone()])]);
    /// assert_eq!(prompt.last_answers(), [answer]);
    /// ```
    #[must_use]
    pub fn last_answers(&self) -> &[ToolAnswer] {
        match self.messages.last() {
            Some(PromptMessage::Tools(answers)) => answers,
            _ => &[],
        }
    }
}

/// One message of a [`Prompt`].
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
#[non_exhaustive]
pub enum PromptMessage {
    /// A system or developer message of the client; only if the agent
    /// [allows](super::HistoryPolicy::allow_system_messages) them.
    System(String),
    /// The user: text, images, files.
    User(Vec<ContentPart>),
    /// A turn of the model, in the order in which the model wrote it.
    Assistant(Vec<AssistantPart>),
    /// The results of all calls of the turn before, in the order of the calls.
    Tools(Vec<ToolAnswer>),
}

impl PromptMessage {
    /// Returns a message of the user that is only text.
    ///
    /// ```
    /// use agui_runtime::model::PromptMessage;
    ///
    /// assert!(matches!(PromptMessage::user("Rice?"), PromptMessage::User(parts) if parts.len() == 1));
    /// ```
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(vec![crate::protocol::TextPart::new(text).into()])
    }
}

/// A part of a turn of the model.
///
/// ```
/// use agui_runtime::model::{AssistantPart, ModelCall};
///
/// let part = AssistantPart::Call(ModelCall::new("call-1", "price", r#"{"name":"rice"}"#));
/// assert!(matches!(part, AssistantPart::Call(call) if call.tool == "price"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AssistantPart {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
        /// The provider's encrypted form, which must go back unchanged.
        encrypted: Option<String>,
    },
    /// Reasoning.
    Reasoning {
        /// The readable text; empty if the provider gives none.
        text: String,
        /// The provider's signature or encrypted form, which must go back unchanged.
        encrypted: Option<String>,
    },
    /// A call of a tool.
    Call(ModelCall),
}

impl AssistantPart {
    /// Returns a text without an encrypted form.
    ///
    /// ```
    /// use agui_runtime::model::AssistantPart;
    ///
    /// let part = AssistantPart::text("180 cents.");
    /// assert!(matches!(part, AssistantPart::Text { encrypted: None, .. }));
    /// ```
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), encrypted: None }
    }
}

/// A call of a tool in the conversation of a model.
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
    /// The id, by which the result finds its call.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: String,
    /// The JSON text of the arguments as the model wrote it: not always JSON, and not always those of the tool.
    pub arguments: String,
    /// The provider's signature of the call, which must go back unchanged.
    pub encrypted: Option<String>,
}

impl ModelCall {
    /// Returns a call without a signature.
    ///
    /// ```
    /// use agui_runtime::model::ModelCall;
    ///
    /// assert_eq!(ModelCall::new("call-1", "price", "{}").tool, "price");
    /// ```
    #[must_use]
    pub fn new(id: impl Into<ToolCallId>, tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), tool: tool.into(), arguments: arguments.into(), encrypted: None }
    }
}

/// The result of a call in the conversation of a model.
///
/// ```
/// use agui_runtime::model::ToolAnswer;
///
/// let answer = ToolAnswer::new("call-1", "price", "180");
/// assert!(!answer.failed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolAnswer {
    /// The id of the call.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: String,
    /// The result: JSON text, a string without quotes, or parts.
    pub content: Content,
    /// True if the tool failed, or the call could not be made.
    pub failed: bool,
}

impl ToolAnswer {
    /// Returns the result of a call that did not fail.
    ///
    /// ```
    /// use agui_runtime::model::ToolAnswer;
    ///
    /// assert_eq!(ToolAnswer::new("call-1", "price", "180").content.text(), "180");
    /// ```
    #[must_use]
    pub fn new(id: impl Into<ToolCallId>, tool: impl Into<String>, content: impl Into<Content>) -> Self {
        Self { id: id.into(), tool: tool.into(), content: content.into(), failed: false }
    }

    /// Reads the result as the type that the tool returns: its JSON, or a string as it is.
    ///
    /// # Errors
    /// The error of the JSON if it is no `T`, as that of a tool that [failed](Self::error).
    ///
    /// ```
    /// use agui_runtime::model::ToolAnswer;
    ///
    /// assert_eq!(ToolAnswer::new("call-1", "price", "180").value::<u32>()?, 180);
    /// assert_eq!(ToolAnswer::new("call-2", "name", "Ada").value::<String>()?, "Ada");
    /// assert!(ToolAnswer::new("call-3", "price", "much").value::<u32>().is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        let text = self.content.text();
        serde_json::from_str(&text)
            .or_else(|error| serde_json::from_value(Value::from(&*text)).map_err(|_| error))
    }

    /// Returns the reason why the tool failed, or the call could not be made; `None` if there is a result.
    ///
    /// ```
    /// use agui_runtime::model::ToolAnswer;
    ///
    /// let mut answer = ToolAnswer::new("call-1", "price", r#"{"error":"no such ingredient"}"#);
    /// assert_eq!(answer.error(), None);
    /// answer.failed = true;
    /// assert_eq!(answer.error().as_deref(), Some("no such ingredient"));
    /// ```
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
        Self { id, tool, content, failed: true }
    }
}

/// A tool as a model reads it: name, purpose, and the JSON Schema of its arguments.
///
/// The schema is JSON Schema 2020-12, as the manifest has it. A [`ChatModel`](super::ChatModel) whose provider accepts
/// only a part of that translates it.
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
    /// The name by which the model calls it.
    pub name: String,
    /// The purpose, for the model.
    pub description: String,
    /// The JSON Schema of the arguments, an object.
    pub parameters: Value,
    /// The side that runs it.
    pub side: ToolSide,
    /// The title, and the hints about its behaviour. The protocols of model providers have no place for them.
    pub annotations: ToolAnnotations,
}

impl ToolSpec {
    /// Returns a typed tool as a model reads it: for agents that call their model by hand.
    ///
    /// ```
    /// use agui_runtime::model::ToolSpec;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Looks up what an ingredient costs, in cents.
    /// #[tool]
    /// async fn price(name: String) -> u32 {
    ///     180
    /// }
    ///
    /// let tool = ToolSpec::of::<price>();
    /// assert_eq!(tool.description, "Looks up what an ingredient costs, in cents.");
    /// assert_eq!(tool.parameters["required"], serde_json::json!(["name"]));
    /// ```
    #[must_use]
    pub fn of<T: Tool>() -> Self {
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

    /// Returns a frontend tool.
    ///
    /// ```
    /// use agui_runtime::model::ToolSpec;
    ///
    /// let tool = ToolSpec::new("search", "Searches the page.", serde_json::json!({ "type": "object" }));
    /// assert_eq!(tool.description, "Searches the page.");
    /// ```
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
