//! What a subscriber can see.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::typed::{self, StateUnreadable};
use crate::protocol::{Content, Message, MessageId, RunAgentInput, ToolCall, ToolCallId};
use crate::receive::Reducer;

/// What a subscriber can see: the conversation as it is before the event takes effect; after it, for what tells of changes.
///
/// Nothing is copied for it.
///
/// ```
/// use agui_runtime::client::Now;
///
/// fn summary(now: &Now<'_>) -> String {
///     format!("{} messages, state {}", now.messages().len(), now.state())
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    pub(super) reducer: &'a Reducer,
    pub(super) input: Option<&'a RunAgentInput>,
}

impl<'a> Now<'a> {
    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &'a [Message] {
        self.reducer.messages()
    }

    /// A message, by its id.
    #[must_use]
    pub fn message(&self, id: &MessageId) -> Option<&'a Message> {
        self.reducer.message(id.as_str())
    }

    /// A call, by its id.
    #[must_use]
    pub fn tool_call(&self, id: &ToolCallId) -> Option<&'a ToolCall> {
        self.reducer.tool_call(id.as_str())
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &'a Value {
        self.reducer.state()
    }

    /// The state as a type, read anew; `None` if it is the empty object of a client that holds none.
    ///
    /// # Errors
    /// [`StateUnreadable`] if it is not of that type.
    ///
    /// ```
    /// use agui_runtime::client::Now;
    ///
    /// fn count(now: &Now<'_>) -> usize {
    ///     now.state_as::<Vec<String>>().ok().flatten().map_or(0, |items| items.len())
    /// }
    /// ```
    pub fn state_as<S: DeserializeOwned>(&self) -> Result<Option<S>, StateUnreadable> {
        typed::read(self.state())
    }

    /// What the run is asked with; `None` between runs.
    ///
    /// ```
    /// use agui_runtime::client::Now;
    ///
    /// fn is_resumed(now: &Now<'_>) -> bool {
    ///     now.input().is_some_and(|input| !input.resume().is_empty())
    /// }
    /// ```
    #[must_use]
    pub fn input(&self) -> Option<&'a RunAgentInput> {
        self.input
    }

    /// The text of a message; empty if it has none.
    pub(super) fn text_of(&self, id: &MessageId) -> &'a str {
        let content = match self.message(id) {
            Some(Message::Assistant(message)) => return message.content.as_deref().unwrap_or_default(),
            Some(Message::Developer(message)) => return &message.content,
            Some(Message::System(message)) => return &message.content,
            Some(Message::Reasoning(message)) => return &message.content,
            Some(Message::User(message)) => &message.content,
            Some(Message::Tool(message)) => &message.content,
            Some(Message::Activity(_)) | None => return "",
        };
        match content {
            Content::Text(text) => text,
            Content::Parts(_) => "",
        }
    }
}
