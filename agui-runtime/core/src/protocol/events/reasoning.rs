//! Model reasoning: spans, messages, encrypted values (AG-UI 1.0, section "Reasoning").

use super::base::event;
use crate::protocol::forms::string_set::string_set;
use crate::protocol::id::MessageId;

event! {
    /// Opens a reasoning span. The id names the span, not a message.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ReasoningStartEvent};
    ///
    /// let event = Event::from(ReasoningStartEvent::new("span-1"));
    /// assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"type":"REASONING_START","messageId":"span-1"}"#);
    /// ```
    pub struct ReasoningStartEvent is ReasoningStart [attributable] {
        /// Span id.
        message_id as "messageId": MessageId,
    }
}

event! {
    /// Opens a reasoning message.
    ///
    /// ```
    /// use agui_runtime::protocol::{
    ///     Event, ReasoningEndEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent,
    ///     ReasoningStartEvent,
    /// };
    ///
    /// let reasoning: [Event; 5] = [
    ///     ReasoningStartEvent::new("span-1").into(),
    ///     ReasoningMessageStartEvent::new("rm-1").into(),
    ///     ReasoningMessageContentEvent::new("rm-1", "The sky is grey.").into(),
    ///     ReasoningMessageEndEvent::new("rm-1").into(),
    ///     ReasoningEndEvent::new("span-1").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&reasoning[1]).unwrap(),
    ///     r#"{"type":"REASONING_MESSAGE_START","messageId":"rm-1","role":"reasoning"}"#,
    /// );
    /// ```
    pub struct ReasoningMessageStartEvent is ReasoningMessageStart [attributable] {
        /// Message id.
        message_id as "messageId": MessageId,
        const ROLE: "role" = "reasoning";
    }
}

event! {
    /// Adds text to an open reasoning message, after a [`ReasoningMessageStartEvent`].
    pub struct ReasoningMessageContentEvent is ReasoningMessageContent [attributable] {
        /// Message id.
        message_id as "messageId": MessageId,
        /// The text to append; empty is legal.
        delta: String,
    }
}

event! {
    /// Closes a reasoning message, after a [`ReasoningMessageStartEvent`].
    pub struct ReasoningMessageEndEvent is ReasoningMessageEnd [attributable] {
        /// Message id.
        message_id as "messageId": MessageId,
    }
}

event! {
    /// Start, content and end in one event: the consumer expands successive chunks into the three.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ReasoningMessageChunkEvent};
    ///
    /// // The first chunk names the message; the next ones continue it.
    /// let chunks: [Event; 2] = [
    ///     ReasoningMessageChunkEvent::new().with_message_id("rm-1").with_delta("The sky ").into(),
    ///     ReasoningMessageChunkEvent::new().with_delta("is grey.").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&chunks[1]).unwrap(),
    ///     r#"{"type":"REASONING_MESSAGE_CHUNK","delta":"is grey."}"#,
    /// );
    /// ```
    pub struct ReasoningMessageChunkEvent is ReasoningMessageChunk [attributable] {
        /// Message id; required on the first chunk, absent on a continuing chunk.
        message_id as "messageId": Option<MessageId> => with_message_id,
        /// The text to append.
        delta: Option<String> => with_delta,
    }
}

event! {
    /// Closes a reasoning span, after a [`ReasoningStartEvent`].
    pub struct ReasoningEndEvent is ReasoningEnd [attributable] {
        /// Span id.
        message_id as "messageId": MessageId,
    }
}

string_set! {
    /// The kind of entity that an encrypted value belongs to, in a [`ReasoningEncryptedValueEvent`].
    pub enum ReasoningEncryptedValueSubtype: "encrypted value subtype" {
        /// A tool call, by its call id.
        ToolCall = "tool-call",
        /// A message, by its message id.
        Message = "message",
    }
}

event! {
    /// Attaches a value that only the model provider can read; sent back unchanged with the next input.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype};
    ///
    /// let of_message = ReasoningEncryptedValueSubtype::Message;
    /// let event = Event::from(ReasoningEncryptedValueEvent::new(of_message, "rm-1", "gAAA"));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"rm-1","encryptedValue":"gAAA"}"#,
    /// );
    /// ```
    pub struct ReasoningEncryptedValueEvent is ReasoningEncryptedValue [attributable] {
        /// The kind of entity that `entity_id` names.
        subtype: ReasoningEncryptedValueSubtype,
        /// Message or call id.
        entity_id as "entityId": String,
        /// The opaque value.
        encrypted_value as "encryptedValue": String,
        /// The kind of the value, defined by the producer and prefixed with the provider, such as `anthropic.redacted_thinking`.
        encrypted_value_type as "encryptedValueType": Option<String> => with_encrypted_value_type [since V1_1],
    }
}
