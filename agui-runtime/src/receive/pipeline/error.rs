//! The errors of a pipeline.

use crate::order::OrderError;
use crate::receive::Rejected;
use crate::receive::chunks::ChunkError;

/// An event that ends the reading of a stream. The consumer reports it; it differs from `RUN_ERROR`, the
/// report of the producer.
///
/// ```
/// use agui_runtime::protocol::TextMessageEndEvent;
/// use agui_runtime::receive::pipeline::Pipeline;
///
/// let error = Pipeline::new().receive(TextMessageEndEvent::new("m").into(), |_, _, _| {}).unwrap_err();
/// assert_eq!((error.code(), error.at()), ("V_FIRST_EVENT", 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiveError {
    /// A frame is not an event, or is malformed.
    #[error("event {at}: {error}")]
    Rejected {
        /// The index of the received frame, from 0.
        at: usize,
        /// The reason.
        #[source]
        error: Rejected,
    },
    /// A chunk neither begins nor continues anything.
    #[error("event {at}: {error}")]
    Chunk {
        /// The index of the received event, from 0.
        at: usize,
        /// The reason.
        #[source]
        error: ChunkError,
    },
    /// An event is not allowed at its place, or the stream stops too early. The inner error counts events
    /// after the expansion of chunks.
    #[error("{error}")]
    Order {
        /// The index of the received event, from 0; for the end of the stream, the number of received
        /// events.
        at: usize,
        /// The reason.
        error: OrderError,
    },
}

impl ReceiveError {
    /// Returns the short name of the condition.
    ///
    /// ```
    /// use agui_runtime::protocol::TextMessageChunkEvent;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let nameless = TextMessageChunkEvent::new().with_delta("Hi");
    /// let error = Pipeline::new().receive(nameless.into(), |_, _, _| {}).unwrap_err();
    /// assert_eq!(error.code(), "C_TEXT_NO_ID");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rejected { error, .. } => error.code().as_str(),
            Self::Chunk { error, .. } => error.code(),
            Self::Order { error, .. } => error.code(),
        }
    }

    /// Returns the index of the received event, from 0; for the end of the stream, the number of received
    /// events.
    ///
    /// ```
    /// use agui_runtime::protocol::TextMessageEndEvent;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let error = Pipeline::new().receive(TextMessageEndEvent::new("m").into(), |_, _, _| {}).unwrap_err();
    /// assert_eq!(error.at(), 0);
    /// ```
    #[must_use]
    pub fn at(&self) -> usize {
        match self {
            Self::Rejected { at, .. } | Self::Chunk { at, .. } | Self::Order { at, .. } => *at,
        }
    }
}
