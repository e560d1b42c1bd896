//! Reasoning of the model: spans, messages, encrypted values (AG-UI 1.0, section "Reasoning").

use super::base::event;
use super::id::MessageId;
use super::string_set::string_set;

event! {
    /// Opens a reasoning span. Its id names the span, not a message.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ReasoningMessageStartEvent};
    ///
    /// let event = Event::from(ReasoningMessageStartEvent::new("rm-1"));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"REASONING_MESSAGE_START","messageId":"rm-1","role":"reasoning"}"#,
    /// );
    /// ```
    pub struct ReasoningStartEvent is ReasoningStart [attributable] {
        /// The span.
        message_id: MessageId,
    }
}

event! {
    /// Opens a reasoning message.
    pub struct ReasoningMessageStartEvent is ReasoningMessageStart [attributable] {
        /// The message.
        message_id: MessageId,
        const ROLE: "role" = "reasoning";
    }
}

event! {
    /// Adds text to an open reasoning message.
    pub struct ReasoningMessageContentEvent is ReasoningMessageContent [attributable] {
        /// The message.
        message_id: MessageId,
        /// The text to append; empty is legal.
        delta: String,
    }
}

event! {
    /// Closes a reasoning message.
    pub struct ReasoningMessageEndEvent is ReasoningMessageEnd [attributable] {
        /// The message.
        message_id: MessageId,
    }
}

event! {
    /// Start, content and end in one: the consumer expands a run of chunks into the three.
    pub struct ReasoningMessageChunkEvent is ReasoningMessageChunk [attributable] {
        /// The message; required by meaning on the first chunk, absent continues.
        message_id: Option<MessageId> => with_message_id,
        /// The text to append.
        delta: Option<String> => with_delta,
    }
}

event! {
    /// Closes a reasoning span.
    pub struct ReasoningEndEvent is ReasoningEnd [attributable] {
        /// The span.
        message_id: MessageId,
    }
}

string_set! {
    /// What an encrypted value belongs to.
    pub enum ReasoningEncryptedValueSubtype: "encrypted value subtype" {
        /// A tool call, by its call id.
        ToolCall = "tool-call",
        /// A message, by its message id.
        Message = "message",
    }
}

event! {
    /// Attaches a value only the model provider can read; it travels back unchanged with the next input.
    pub struct ReasoningEncryptedValueEvent is ReasoningEncryptedValue [attributable] {
        /// What `entity_id` names.
        subtype: ReasoningEncryptedValueSubtype,
        /// The message or call.
        entity_id: String,
        /// The value, opaque.
        encrypted_value: String,
    }
}
