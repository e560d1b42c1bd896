//! The input of a run in the dialect.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::loss::{log, say_input, say_request};
use super::{Block, DialectError};
use crate::protocol::{
    AssistantMessage, Content, Message, ReasoningMessage, RunAgentInput, RunId, SystemMessage, ThreadId,
    UserMessage,
};
use crate::receive::FrameWarning;

/// The body of a request.
///
/// ```
/// use agui_runtime::dialect::snake_case::ChatRequest;
///
/// let request: ChatRequest = serde_json::from_str(
///     r#"{"thread_id":"t","model_id":"m-1","messages":[{"role":"user","content":"Hi"}]}"#,
/// )?;
/// let input = request.clone().into_input("fresh", "run-1")?;
/// assert_eq!((input.thread_id.as_str(), input.messages[0].id().as_str()), ("t", "run-1-1"));
/// assert_eq!(ChatRequest::of(&input), request);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The conversation, if it continues one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The messages, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Value>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<Value>,
    /// True if the model should reason at length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_deep_thinking: Option<bool>,
    /// The other members, which have no place in an input.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// One message of a request.
///
/// ```
/// use agui_runtime::dialect::snake_case::{ChatContent, ChatMessage, ChatRequest, ChatRole};
///
/// let mut request = ChatRequest::default();
/// request.messages.push(ChatMessage { role: ChatRole::User, content: ChatContent::Text("Hi".to_owned()) });
/// assert_eq!(serde_json::to_string(&request)?, r#"{"messages":[{"role":"user","content":"Hi"}]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// The author.
    pub role: ChatRole,
    /// The text or blocks.
    pub content: ChatContent,
}

/// The author of a message.
///
/// ```
/// use agui_runtime::dialect::snake_case::ChatRole;
///
/// assert_eq!(serde_json::from_str::<ChatRole>("\"assistant\"")?, ChatRole::Assistant);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// Instructions.
    System,
}

/// The content of a message.
///
/// ```
/// use agui_runtime::dialect::snake_case::{ChatContent, ChatMessage, ChatRole};
///
/// let said: ChatMessage = serde_json::from_str(r#"{"role":"user","content":[{"type":"text","text":"Hi"}]}"#)?;
/// assert!(said.role == ChatRole::User && matches!(said.content, ChatContent::Blocks(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ChatContent {
    /// Text.
    Text(String),
    /// Blocks, in order.
    Blocks(Vec<Block>),
}

/// Written by hand because serde's untagged enums lose the path and the reason of an error.
impl<'de> Deserialize<'de> for ChatContent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Content;

        impl<'de> Visitor<'de> for Content {
            type Value = ChatContent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of blocks")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ChatContent, E> {
                Ok(ChatContent::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<ChatContent, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(blocks)).map(ChatContent::Blocks)
            }
        }

        from.deserialize_any(Content)
    }
}

/// The members that are passed through under their own names.
const PROPS: [&str; 3] = ["agent_id", "model_id", "enable_deep_thinking"];

impl ChatRequest {
    /// Converts the request to an input. `fresh_thread` is the thread of a request that begins a
    /// conversation. The ids of messages begin with that of the run. Losses are logged with `tracing`.
    ///
    /// # Errors
    /// [`DialectError::NoMimeType`] and [`DialectError::NoSource`].
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::ChatRequest;
    ///
    /// let request: ChatRequest = serde_json::from_str(r#"{"messages":[{"role":"user","content":"Hi"}]}"#)?;
    /// let input = request.into_input("thread-1", "run-1")?;
    /// assert_eq!((input.thread_id.as_str(), input.messages.len()), ("thread-1", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_input(
        self,
        fresh_thread: impl Into<ThreadId>,
        run_id: impl Into<RunId>,
    ) -> Result<RunAgentInput, DialectError> {
        self.into_input_with(fresh_thread, run_id, &mut log)
    }

    /// Like [`into_input`](Self::into_input), with a function for warnings about losses: unknown members
    /// and blocks, media outside of user messages, and the address of media that also has its bytes.
    ///
    /// # Errors
    /// As [`into_input`](Self::into_input).
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::ChatRequest;
    ///
    /// let request = r#"{"mood":"good","messages":[{"role":"user","content":[{"type":"hologram"},{"type":"text","text":"Hi"}]}]}"#;
    /// let mut lost = Vec::new();
    /// let request: ChatRequest = serde_json::from_str(request)?;
    /// request.into_input_with("t", "r", &mut |warning| lost.push(warning.path().to_owned()))?;
    /// assert_eq!(lost, ["/mood", "/messages/0/content/0"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_input_with(
        self,
        fresh_thread: impl Into<ThreadId>,
        run_id: impl Into<RunId>,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<RunAgentInput, DialectError> {
        say_request(&self, warn);
        let run_id = run_id.into();
        let thread_id = self.thread_id.map_or_else(|| fresh_thread.into(), ThreadId::from);
        let mut messages = Messages { run_id: &run_id, all: Vec::new() };
        for (at, message) in self.messages.into_iter().enumerate() {
            messages.take(at, message)?;
        }
        let messages = messages.all;
        let props = [self.agent_id, self.model_id, self.enable_deep_thinking.map(Value::from)];
        let props: Map<_, _> = PROPS
            .into_iter()
            .zip(props)
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect();
        let mut input = RunAgentInput::new(thread_id, run_id, messages);
        input.forwarded_props = Some(props.into());
        Ok(input)
    }

    /// Converts an input to a request, as far as the dialect can express it. Tools, context, state,
    /// resumption and results of tools are lost, which is logged with `tracing`.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    /// use agui_runtime::dialect::snake_case::ChatRequest;
    ///
    /// let input = RunAgentInput::new("thread-1", "run-1", [UserMessage::new("u", "Hi").into()]);
    /// let request = ChatRequest::of(&input);
    /// assert_eq!((request.thread_id.as_deref(), request.messages.len()), (Some("thread-1"), 1));
    /// ```
    #[must_use]
    pub fn of(input: &RunAgentInput) -> Self {
        Self::of_with(input, &mut log)
    }

    /// Like [`of`](Self::of), with a function for warnings about losses.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, ToolMessage};
    /// use agui_runtime::dialect::snake_case::ChatRequest;
    ///
    /// let input = RunAgentInput::new("t", "r", vec![ToolMessage::new("m", "42", "call").into()]);
    /// let mut lost = Vec::new();
    /// let request = ChatRequest::of_with(&input, &mut |warning| lost.push(warning.path().to_owned()));
    /// assert!(request.messages.is_empty() && lost == ["/messages/0"]);
    /// ```
    #[must_use]
    pub fn of_with(input: &RunAgentInput, warn: &mut dyn FnMut(FrameWarning)) -> Self {
        say_input(input, &PROPS, warn);
        let prop = |name| match input.forwarded_props.as_deref() {
            Some(Value::Object(props)) => props.get(name).cloned(),
            _ => None,
        };
        let [agent_id, model_id, thinking] = PROPS.map(prop);
        let mut messages = Vec::new();
        // Reasoning is sent with the next message of the assistant.
        let mut thought = Vec::new();
        for message in &input.messages {
            if let Message::Reasoning(message) = message {
                thought.push(Block::Reasoning { reasoning: message.content.clone() });
                continue;
            }
            let Some((role, content)) = said(message) else { continue };
            let content = match (role, content) {
                (ChatRole::Assistant, ChatContent::Text(text)) if !thought.is_empty() => {
                    let text = Some(Block::Text { text }).filter(|_| message_has_text(message));
                    ChatContent::Blocks(thought.drain(..).chain(text).collect())
                }
                (_, content) => content,
            };
            messages.push(ChatMessage { role, content });
        }
        if !thought.is_empty() {
            messages.push(ChatMessage { role: ChatRole::Assistant, content: ChatContent::Blocks(thought) });
        }
        Self {
            thread_id: Some(input.thread_id.as_str().to_owned()),
            messages,
            agent_id,
            model_id,
            enable_deep_thinking: thinking.as_ref().and_then(Value::as_bool),
            others: Map::new(),
        }
    }
}

fn message_has_text(message: &Message) -> bool {
    matches!(message, Message::Assistant(message) if message.content.as_deref().is_some_and(|text| !text.is_empty()))
}

/// Returns the role and content of a message, if the dialect has a role for it.
fn said(message: &Message) -> Option<(ChatRole, ChatContent)> {
    match message {
        Message::User(message) => Some((
            ChatRole::User,
            match &message.content {
                Content::Text(text) => ChatContent::Text(text.clone()),
                Content::Parts(parts) => ChatContent::Blocks(parts.iter().filter_map(Block::of).collect()),
            },
        )),
        Message::Assistant(message) => {
            Some((ChatRole::Assistant, ChatContent::Text(message.content.clone().unwrap_or_default())))
        }
        Message::System(message) => Some((ChatRole::System, ChatContent::Text(message.content.clone()))),
        Message::Developer(message) => Some((ChatRole::System, ChatContent::Text(message.content.clone()))),
        Message::Tool(_) | Message::Activity(_) | Message::Reasoning(_) => None,
    }
}

struct Messages<'r> {
    run_id: &'r RunId,
    all: Vec<Message>,
}

impl Messages<'_> {
    fn id(&self) -> String {
        format!("{}-{}", self.run_id, self.all.len() + 1)
    }

    fn take(&mut self, at: usize, message: ChatMessage) -> Result<(), DialectError> {
        match (message.role, message.content) {
            (ChatRole::User, ChatContent::Text(text)) => {
                self.all.push(UserMessage::new(self.id(), text).into());
            }
            (ChatRole::User, ChatContent::Blocks(blocks)) => {
                let mut parts = Vec::new();
                for (block_at, block) in blocks.into_iter().enumerate() {
                    match block {
                        Block::Reasoning { reasoning } => self.think(reasoning),
                        block => parts.extend(block.into_part().map_err(|why| why.at(at, block_at))?),
                    }
                }
                self.all.push(UserMessage::new(self.id(), parts).into());
            }
            (role, ChatContent::Text(text)) => self.say(role, text),
            (role, ChatContent::Blocks(blocks)) => {
                let mut text = None::<String>;
                for block in blocks {
                    match block {
                        Block::Text { text: more } => text.get_or_insert_default().push_str(&more),
                        Block::Reasoning { reasoning } => self.think(reasoning),
                        _ => {}
                    }
                }
                if let Some(text) = text {
                    self.say(role, text);
                }
            }
        }
        Ok(())
    }

    fn think(&mut self, reasoning: String) {
        self.all.push(ReasoningMessage::new(self.id(), reasoning).into());
    }

    fn say(&mut self, role: ChatRole, text: String) {
        let message = match role {
            ChatRole::System => SystemMessage::new(self.id(), text).into(),
            _ => AssistantMessage::new(self.id()).with_content(text).into(),
        };
        self.all.push(message);
    }
}
