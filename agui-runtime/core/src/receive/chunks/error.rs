//! Chunk expansion errors.

use crate::order::SpanOwner;
use crate::protocol::{EventType, ToolCallId};

/// A chunk that neither begins nor continues anything (AG-UI 1.0, section "Chunk expansion").
///
/// ```
/// use agui_runtime::protocol::TextMessageChunkEvent;
/// use agui_runtime::receive::chunks::ChunkExpander;
///
/// let error = ChunkExpander::new().expand(TextMessageChunkEvent::new().with_delta("Hi").into()).unwrap_err();
/// assert_eq!(error.code(), "C_TEXT_NO_ID");
/// assert_eq!(error.to_string(), "TEXT_MESSAGE_CHUNK has no id, and no earlier chunk to continue");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// A first chunk has no id.
    #[error("{event_type} has no id, and no earlier chunk to continue")]
    NoId {
        /// The kind of chunk.
        event_type: EventType,
    },
    /// A call's first chunk does not name the tool.
    #[error("the first TOOL_CALL_CHUNK of `{id}` does not name the tool")]
    NoToolName {
        /// The call.
        id: ToolCallId,
    },
    /// A later chunk contradicts the first.
    #[error("{event_type} of `{id}` has a different `{member}` than the first chunk")]
    Conflict {
        /// The kind of chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// The member that differs.
        member: &'static str,
    },
    /// A chunk continues a message or call that another author's chunks began.
    #[error("{event_type} of `{id}` names a different subagent than the first chunk (its owner is {owner})")]
    OtherOwner {
        /// The kind of chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// The message's or call's owner.
        owner: SpanOwner,
    },
    /// A chunk has neither an id nor a subagent, and it could continue several messages or calls.
    #[error("{event_type} has neither an id nor a subagent, and it could continue several")]
    Ambiguous {
        /// The kind of chunk.
        event_type: EventType,
    },
}

impl ChunkError {
    /// Returns the condition's short name, the same as for the official client's error texts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoId { event_type: EventType::ToolCallChunk } => "C_TOOL_NO_ID",
            Self::NoId { event_type: EventType::ReasoningMessageChunk } => "C_REASONING_NO_ID",
            Self::NoId { .. } => "C_TEXT_NO_ID",
            Self::NoToolName { .. } => "C_TOOL_NO_NAME",
            Self::Conflict { .. } => "C_CONFLICT",
            Self::OtherOwner { .. } => "C_OWNER_CONFLICT",
            Self::Ambiguous { .. } => "C_AMBIGUOUS",
        }
    }
}
