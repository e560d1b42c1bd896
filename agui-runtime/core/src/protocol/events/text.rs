//! Streamed text messages (AG-UI 1.0, section "Text messages").

use super::base::event;
use crate::protocol::forms::string_set::string_set;
use crate::protocol::id::MessageId;

string_set! {
    /// Roles that a text message may have, in a [`TextMessageStartEvent`].
    pub enum TextMessageRole: "text message role" {
        /// Developer instructions.
        Developer = "developer",
        /// System instructions.
        System = "system",
        /// The agent; an absent role means the same.
        Assistant = "assistant",
        /// The user.
        User = "user",
    }
}

event! {
    /// Opens a text message.
    ///
    /// ```
    /// use agui_runtime::protocol::{
    ///     Event, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent,
    /// };
    ///
    /// let message: [Event; 3] = [
    ///     TextMessageStartEvent::new("m-1").with_role(TextMessageRole::Assistant).into(),
    ///     TextMessageContentEvent::new("m-1", "Take an umbrella.").into(),
    ///     TextMessageEndEvent::new("m-1").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&message[0]).unwrap(),
    ///     r#"{"type":"TEXT_MESSAGE_START","messageId":"m-1","role":"assistant"}"#,
    /// );
    /// ```
    pub struct TextMessageStartEvent is TextMessageStart [attributable] {
        /// Message id; an ended message's id reopens that message, and text is appended.
        message_id as "messageId": MessageId,
        /// Absent means `assistant`.
        role: Option<TextMessageRole> => with_role,
        /// Display name.
        name: Option<String> => with_name,
    }
}

event! {
    /// Adds text to an open message, after a [`TextMessageStartEvent`].
    pub struct TextMessageContentEvent is TextMessageContent [attributable] {
        /// The message.
        message_id as "messageId": MessageId,
        /// The text to append; empty is legal.
        delta: String,
    }
}

event! {
    /// Closes a text message, after a [`TextMessageStartEvent`].
    pub struct TextMessageEndEvent is TextMessageEnd [attributable] {
        /// The message.
        message_id as "messageId": MessageId,
    }
}

event! {
    /// Start, content and end in one event: the consumer expands successive chunks into the three.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, TextMessageChunkEvent};
    ///
    /// // The first chunk names the message; the next ones continue it.
    /// let chunks: [Event; 2] = [
    ///     TextMessageChunkEvent::new().with_message_id("m-1").with_delta("Take an ").into(),
    ///     TextMessageChunkEvent::new().with_delta("umbrella.").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&chunks[1]).unwrap(),
    ///     r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"umbrella."}"#,
    /// );
    /// ```
    pub struct TextMessageChunkEvent is TextMessageChunk [attributable] {
        /// Message id; required on the first chunk, absent on a continuing chunk.
        message_id as "messageId": Option<MessageId> => with_message_id,
        /// Absent means `assistant` on the first chunk.
        role: Option<TextMessageRole> => with_role,
        /// The text to append.
        delta: Option<String> => with_delta,
        /// Display name.
        name: Option<String> => with_name,
    }
}
