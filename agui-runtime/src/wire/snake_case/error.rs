//! What cannot be translated.

/// Something that is neither AG-UI nor the dialect.
///
/// ```
/// use agui_runtime::wire::snake_case::{DialectError, Reader};
///
/// let error = Reader::new("t", "r").read(Some("tool_call_end"), "{}", &mut Vec::new()).unwrap_err();
/// assert!(matches!(error, DialectError::Missing { .. }));
/// assert_eq!(error.to_string(), "`tool_call_end` has no text `toolCallId`");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DialectError {
    /// The data of a record is no JSON object.
    #[error("the data of `{event}` is no JSON object")]
    NotAnObject {
        /// The event.
        event: String,
    },
    /// A record lacks what it is about.
    #[error("`{event}` has no text `{member}`")]
    Missing {
        /// The event.
        event: String,
        /// The member.
        member: &'static str,
    },
    /// A chunk was to be written: expand it first, with [`Chunks`](crate::receive::Chunks).
    #[error("{0} must be expanded before it is written")]
    Chunk(crate::protocol::EventType),
    /// An event has no JSON form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A block brings bytes and does not say what they are.
    #[error("block {block} of message {message} has data and no `mime_type`")]
    NoMimeType {
        /// Which message, from 0.
        message: usize,
        /// Which of its blocks, from 0.
        block: usize,
    },
    /// A block of media brings neither an address nor bytes.
    #[error("block {block} of message {message} has neither `url` nor `data`")]
    NoSource {
        /// Which message, from 0.
        message: usize,
        /// Which of its blocks, from 0.
        block: usize,
    },
}
