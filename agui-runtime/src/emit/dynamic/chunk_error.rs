use crate::order::Owner;
use crate::protocol::EventType;

/// A chunk that cannot be expanded (AG-UI 1.0, section "Chunk expansion").
///
/// ```
/// use agui_runtime::ChunkError;
/// use agui_runtime::protocol::EventType;
///
/// let error = ChunkError::NoId { event_type: EventType::TextMessageChunk };
/// assert_eq!(error.to_string(), "TEXT_MESSAGE_CHUNK starts something and has no id");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// It starts a message or a call and does not name it.
    #[error("{event_type} starts something and has no id")]
    NoId {
        /// Which chunk.
        event_type: EventType,
    },
    /// It starts a call and does not say of which tool.
    #[error("TOOL_CALL_CHUNK starts the call `{id}` without toolCallName")]
    NoToolName {
        /// The call.
        id: String,
    },
    /// It goes on with something and says otherwise than its first chunk.
    #[error("{event_type} of `{id}` contradicts the first chunk in `{member}`")]
    Conflict {
        /// Which chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// The member that differs.
        member: &'static str,
    },
    /// It goes on with what somebody else says.
    #[error("{event_type} of `{id}` is not by {owner}, who says it")]
    OtherOwner {
        /// Which chunk.
        event_type: EventType,
        /// The message or call.
        id: String,
        /// Who started it.
        owner: Owner,
    },
    /// It is no chunk, and about something that goes out as chunks: an item has one form (AG-UI 1.0, "Producers").
    #[error("{event_type} of `{id}` mixes in with its chunks, which are passed as they come")]
    Mixed {
        /// Which event.
        event_type: EventType,
        /// The message or call.
        id: String,
    },
    /// It names neither id nor author, and several could be meant.
    #[error("{event_type} has neither id nor subagentRunId, and several could be meant")]
    Ambiguous {
        /// Which chunk.
        event_type: EventType,
    },
}
