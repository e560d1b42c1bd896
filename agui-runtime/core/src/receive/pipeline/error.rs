//! Pipeline errors.

use crate::order::OrderError;
use crate::receive::RejectedFrame;
use crate::receive::chunks::ChunkError;

/// An event that ends the reading of a stream. The consumer reports this error; a `RUN_ERROR` is the producer's report.
///
/// ```
/// use agui_runtime::protocol::TextMessageEndEvent;
/// use agui_runtime::receive::pipeline::ReceivePipeline;
///
/// let error = ReceivePipeline::new().receive(TextMessageEndEvent::new("m").into(), |_, _, _| {}).unwrap_err();
/// assert_eq!((error.code(), error.at()), ("V_FIRST_EVENT", 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiveError {
    /// A frame is not an event, or is malformed.
    #[error("event {at}: {error}")]
    Rejected {
        /// The received frame's index, from 0.
        at: usize,
        /// The reason.
        #[source]
        error: RejectedFrame,
    },
    /// A chunk neither begins nor continues anything.
    #[error("event {at}: {error}")]
    Chunk {
        /// The received event's index, from 0.
        at: usize,
        /// The reason.
        #[source]
        error: ChunkError,
    },
    /// An event is out of order, or the stream stops too early. The inner error counts events after chunk expansion.
    #[error("{error}")]
    Order {
        /// The received event's index, from 0; at the stream's end, the number of received events.
        at: usize,
        /// The reason.
        error: OrderError,
    },
}

impl ReceiveError {
    /// Returns the condition's short name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rejected { error, .. } => error.code().as_str(),
            Self::Chunk { error, .. } => error.code(),
            Self::Order { error, .. } => error.code(),
        }
    }

    /// Returns the received event's index, from 0; at the stream's end, the number of received events.
    #[must_use]
    pub fn at(&self) -> usize {
        match self {
            Self::Rejected { at, .. } | Self::Chunk { at, .. } | Self::Order { at, .. } => *at,
        }
    }
}
