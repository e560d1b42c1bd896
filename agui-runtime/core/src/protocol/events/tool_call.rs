//! Streamed tool calls and their results (AG-UI 1.0, section "Tool calls").

use super::base::event;
use crate::protocol::conversation::content::Content;
use crate::protocol::forms::string_set::string_set;
use crate::protocol::id::{MessageId, ToolCallId};

event! {
    /// Opens a tool call.
    ///
    /// ```
    /// use agui_runtime::protocol::{
    ///     Event, ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
    /// };
    ///
    /// let call: [Event; 4] = [
    ///     ToolCallStartEvent::new("c-1", "forecast").into(),
    ///     ToolCallArgsEvent::new("c-1", r#"{"city":"Oslo"}"#).into(),
    ///     ToolCallEndEvent::new("c-1").into(),
    ///     ToolCallResultEvent::new("m-2", "c-1", "Rain until noon.").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&call[3]).unwrap(),
    ///     r#"{"type":"TOOL_CALL_RESULT","messageId":"m-2","toolCallId":"c-1","content":"Rain until noon."}"#,
    /// );
    /// ```
    pub struct ToolCallStartEvent is ToolCallStart [attributable] {
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
        /// The tool.
        tool_call_name as "toolCallName": String,
        /// The assistant message that carries the call; without it the call gets its own message.
        parent_message_id as "parentMessageId": Option<MessageId> => with_parent_message_id,
    }
}

event! {
    /// Adds an arguments fragment to an open call, after a [`ToolCallStartEvent`].
    pub struct ToolCallArgsEvent is ToolCallArgs [attributable] {
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
        /// A JSON text fragment, not a JSON value.
        delta: String,
    }
}

event! {
    /// Closes a tool call: the arguments are complete, but perhaps invalid.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ToolCallEndEvent};
    ///
    /// let event = Event::from(ToolCallEndEvent::new("c-1"));
    /// assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"type":"TOOL_CALL_END","toolCallId":"c-1"}"#);
    /// ```
    pub struct ToolCallEndEvent is ToolCallEnd [attributable] {
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
    }
}

event! {
    /// Start, arguments and end in one event: the consumer expands successive chunks into the three.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ToolCallChunkEvent};
    ///
    /// // The first chunk names the call and the tool; the next ones continue it.
    /// let chunks: [Event; 2] = [
    ///     ToolCallChunkEvent::new().with_tool_call_id("c-1").with_tool_call_name("forecast").into(),
    ///     ToolCallChunkEvent::new().with_delta(r#"{"city":"Oslo"}"#).into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&chunks[0]).unwrap(),
    ///     r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c-1","toolCallName":"forecast"}"#,
    /// );
    /// ```
    pub struct ToolCallChunkEvent is ToolCallChunk [attributable] {
        /// Call id; required on the first chunk, absent on a continuing chunk.
        tool_call_id as "toolCallId": Option<ToolCallId> => with_tool_call_id,
        /// Tool name; required on the first chunk.
        tool_call_name as "toolCallName": Option<String> => with_tool_call_name,
        /// The assistant message that carries the call.
        parent_message_id as "parentMessageId": Option<MessageId> => with_parent_message_id,
        /// A JSON text fragment.
        delta: Option<String> => with_delta,
    }
}

string_set! {
    /// Tool result role in a [`ToolCallResultEvent`], for producers that write it.
    pub enum ToolResultRole: "tool result role" {
        /// The only role.
        Tool = "tool",
    }
}

event! {
    /// Sends a call's result as a new tool message.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ToolCallResultEvent};
    ///
    /// let event = Event::from(ToolCallResultEvent::new("m-2", "c-1", "Rain until noon."));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"TOOL_CALL_RESULT","messageId":"m-2","toolCallId":"c-1","content":"Rain until noon."}"#,
    /// );
    /// ```
    pub struct ToolCallResultEvent is ToolCallResult [attributable] {
        /// The new tool message, not the call's message.
        message_id as "messageId": MessageId,
        /// The call.
        tool_call_id as "toolCallId": ToolCallId,
        /// The tool's result.
        content: Content,
        /// Redundant; the only value is `tool`.
        role: Option<ToolResultRole> => with_role,
    }
}
