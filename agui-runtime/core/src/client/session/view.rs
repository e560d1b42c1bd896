//! A subscriber's view.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::typed::{self, StateUnreadable};
use crate::protocol::{Content, Message, MessageId, RunAgentInput, ToolCall, ToolCallId};
use crate::receive::Reducer;

/// A subscriber's view: the conversation before the event takes effect, or after the event for change notifications.
///
/// A view borrows the conversation; nothing is copied.
///
/// ```
/// use agui_runtime::client::{Replay, Session, Subscriber, View};
/// use agui_runtime::protocol::Message;
///
/// /// Keeps the number of messages.
/// #[derive(Default)]
/// struct Badge(usize);
///
/// impl Subscriber for Badge {
///     fn on_new_message(&mut self, _: &Message, now: &View<'_>) {
///         self.0 = now.messages().len();
///     }
/// }
/// # use futures::FutureExt;
/// # let replay = Replay::from_lines(concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
/// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
///
/// let mut badge = Badge::default();
/// let mut session: Session = Session::new(replay);
/// session.start_with(&mut badge).finish().now_or_never().unwrap()?;
/// assert_eq!(badge.0, 1);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub(super) reducer: &'a Reducer,
    pub(super) input: Option<&'a RunAgentInput>,
}

impl<'a> View<'a> {
    /// Returns the messages.
    #[must_use]
    pub fn messages(&self) -> &'a [Message] {
        self.reducer.messages()
    }

    /// Returns a message by id.
    #[must_use]
    pub fn message(&self, id: &MessageId) -> Option<&'a Message> {
        self.reducer.message(id.as_str())
    }

    /// Returns a call by id.
    #[must_use]
    pub fn tool_call(&self, id: &ToolCallId) -> Option<&'a ToolCall> {
        self.reducer.tool_call(id.as_str())
    }

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> &'a Value {
        self.reducer.state()
    }

    /// Deserializes the state; `None` for the empty object that stands for no state.
    ///
    /// # Errors
    /// [`StateUnreadable`] if the state does not fit the type.
    pub fn state_as<S: DeserializeOwned>(&self) -> Result<Option<S>, StateUnreadable> {
        typed::read(self.state())
    }

    /// Returns the run's input; `None` between runs.
    #[must_use]
    pub fn input(&self) -> Option<&'a RunAgentInput> {
        self.input
    }

    /// Returns a message's text; empty without one.
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
