//! Streamed tool calls and their results (AG-UI 1.0, section "Tool calls").

use super::base::event;
use super::content::Content;
use super::id::{MessageId, ToolCallId};
use super::string_set::string_set;

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
        tool_call_id: ToolCallId,
        /// The tool.
        tool_call_name: String,
        /// The assistant message that carries the call; without it the call gets a message of its own.
        parent_message_id: Option<MessageId> => with_parent_message_id,
    }
}

event! {
    /// Adds a piece of the arguments to an open call.
    pub struct ToolCallArgsEvent is ToolCallArgs [attributable] {
        /// The call.
        tool_call_id: ToolCallId,
        /// A piece of JSON text, not a JSON value.
        delta: String,
    }
}

event! {
    /// Closes a tool call: its arguments are complete, which does not make them valid.
    pub struct ToolCallEndEvent is ToolCallEnd [attributable] {
        /// The call.
        tool_call_id: ToolCallId,
    }
}

event! {
    /// Start, arguments and end in one: the consumer expands a run of chunks into the three.
    pub struct ToolCallChunkEvent is ToolCallChunk [attributable] {
        /// The call; required by meaning on the first chunk, absent continues.
        tool_call_id: Option<ToolCallId> => with_tool_call_id,
        /// The tool; required by meaning on the first chunk.
        tool_call_name: Option<String> => with_tool_call_name,
        /// The assistant message that carries the call.
        parent_message_id: Option<MessageId> => with_parent_message_id,
        /// A piece of JSON text.
        delta: Option<String> => with_delta,
    }
}

string_set! {
    /// The role of a tool result, when it is written out at all.
    pub enum ToolResultRole: "tool result role" {
        /// The only one.
        Tool = "tool",
    }
}

event! {
    /// Answers a tool call with a new tool message.
    pub struct ToolCallResultEvent is ToolCallResult [attributable] {
        /// The new tool message, not the message of the call.
        message_id: MessageId,
        /// The call.
        tool_call_id: ToolCallId,
        /// What the tool returned.
        content: Content,
        /// Adds nothing.
        role: Option<ToolResultRole> => with_role,
    }
}
