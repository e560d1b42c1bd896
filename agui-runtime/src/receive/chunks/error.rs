//! Why a chunk is refused.

use crate::order::Owner;
use crate::protocol::{EventType, ToolCallId};

/// A chunk that begins nothing and goes on with nothing (AG-UI 1.0, section "Chunk expansion").
///
/// ```
/// use agui_runtime::protocol::TextMessageChunkEvent;
/// use agui_runtime::receive::chunks::Chunks;
///
/// let error = Chunks::new().expand(TextMessageChunkEvent::new().with_delta("Hi").into()).unwrap_err();
/// assert_eq!(error.code(), "C_TEXT_NO_ID");
/// assert_eq!(error.to_string(), "TEXT_MESSAGE_CHUNK names nothing to begin, and there is nothing to go on with");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// A first chunk does not name what it begins.
    #[error("{event_type} names nothing to begin, and there is nothing to go on with")]
    NoId {
        /// The kind of chunk.
        event_type: EventType,
    },
    /// The first chunk of a call does not name the tool.
    #[error("the first TOOL_CALL_CHUNK of `{id}` does not say which tool is called")]
    NoToolName {
        /// The call.
        id: ToolCallId,
    },
    /// A later chunk says otherwise than the first.
    #[error("{event_type} of `{id}` says another `{member}` than the chunk that began it")]
    Conflict {
        /// The kind of chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// The member that differs.
        member: &'static str,
    },
    /// A chunk goes on with what another author's chunks are building.
    #[error("{event_type} of `{id}` names another subagent than the chunk that began it (it is {owner}'s)")]
    OtherOwner {
        /// The kind of chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// Whose it is.
        owner: Owner,
    },
    /// A chunk says neither what it goes on with nor whose it is, and there are several it could be.
    #[error("{event_type} names neither what it goes on with nor its subagent, and several are open")]
    Ambiguous {
        /// The kind of chunk.
        event_type: EventType,
    },
}

impl ChunkError {
    /// The short name of the condition, the same for the official client's error texts.
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
