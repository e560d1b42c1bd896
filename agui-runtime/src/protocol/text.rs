//! Streamed text messages (AG-UI 1.0, section "Text messages").

use super::base::event;
use super::id::MessageId;
use super::string_set::string_set;

string_set! {
    /// Whose text is streamed: the roles a text message may have.
    pub enum TextMessageRole: "text message role" {
        /// Instructions of the developer.
        Developer = "developer",
        /// Instructions of the system.
        System = "system",
        /// The agent; what an absent role means.
        Assistant = "assistant",
        /// The person.
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
        /// The message; the id of an ended one reopens it and text is appended.
        message_id: MessageId,
        /// Absent means `assistant`.
        role: Option<TextMessageRole> => with_role,
        /// A name to display.
        name: Option<String> => with_name,
    }
}

event! {
    /// Adds text to an open message.
    pub struct TextMessageContentEvent is TextMessageContent [attributable] {
        /// The message.
        message_id: MessageId,
        /// The text to append; empty is legal.
        delta: String,
    }
}

event! {
    /// Closes a text message.
    pub struct TextMessageEndEvent is TextMessageEnd [attributable] {
        /// The message.
        message_id: MessageId,
    }
}

event! {
    /// Start, content and end in one: the consumer expands a run of chunks into the three.
    pub struct TextMessageChunkEvent is TextMessageChunk [attributable] {
        /// The message; required by meaning on the first chunk, absent continues.
        message_id: Option<MessageId> => with_message_id,
        /// Absent means `assistant` on the first chunk.
        role: Option<TextMessageRole> => with_role,
        /// The text to append.
        delta: Option<String> => with_delta,
        /// A name to display.
        name: Option<String> => with_name,
    }
}
