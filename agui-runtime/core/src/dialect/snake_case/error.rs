//! The errors of the translation.

/// Input that is neither AG-UI nor the dialect.
///
/// ```
/// use agui_runtime::dialect::snake_case::{DialectError, Reader};
///
/// let error = Reader::new("t", "r").read(Some("tool_call_end"), "{}", &mut Vec::new()).unwrap_err();
/// assert!(matches!(error, DialectError::Missing { .. }));
/// assert_eq!(error.to_string(), "`tool_call_end` lacks the string `toolCallId`");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DialectError {
    /// The data of a record is not a JSON object.
    #[error("the data of `{event}` is not a JSON object")]
    NotAnObject {
        /// The event.
        event: String,
    },
    /// A record lacks a required member.
    #[error("`{event}` lacks the string `{member}`")]
    Missing {
        /// The event.
        event: String,
        /// The member.
        member: &'static str,
    },
    /// A chunk cannot be written: expand it first, with [`ChunkExpander`](crate::receive::ChunkExpander).
    #[error("{0} must be expanded before it is written")]
    Chunk(crate::protocol::EventType),
    /// An event has no JSON form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A block has bytes but no media type.
    #[error("block {block} of message {message} has data but no `mime_type`")]
    NoMimeType {
        /// The index of the message, from 0.
        message: usize,
        /// The index of its block, from 0.
        block: usize,
    },
    /// A media block has neither an address nor bytes.
    #[error("block {block} of message {message} has neither `url` nor `data`")]
    NoSource {
        /// The index of the message, from 0.
        message: usize,
        /// The index of its block, from 0.
        block: usize,
    },
}
