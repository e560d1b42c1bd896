//! Why a stream is refused.

use crate::order::OrderError;
use crate::receive::Rejected;
use crate::receive::chunks::ChunkError;

/// An event that ends the reading of a stream: the consumer's verdict, and something else than `RUN_ERROR`, the producer's report.
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
    /// A frame is no event, or a malformed one.
    #[error("event {at}: {error}")]
    Rejected {
        /// Which of the frames that came, from 0.
        at: usize,
        /// What is wrong with it.
        #[source]
        error: Rejected,
    },
    /// A chunk begins nothing and goes on with nothing.
    #[error("event {at}: {error}")]
    Chunk {
        /// Which of the events that came, from 0.
        at: usize,
        /// What is wrong with it.
        #[source]
        error: ChunkError,
    },
    /// An event may not stand where it stands, or the stream may not stop where it stops. The error counts events after the
    /// expansion of chunks.
    #[error("{error}")]
    Order {
        /// Which of the events that came, from 0; how many there were, if it is about the end.
        at: usize,
        /// What is wrong with it.
        error: OrderError,
    },
}

impl ReceiveError {
    /// The short name of the condition.
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

    /// Which of the events that came, from 0; how many there were, if it is about the end.
    #[must_use]
    pub fn at(&self) -> usize {
        match self {
            Self::Rejected { at, .. } | Self::Chunk { at, .. } | Self::Order { at, .. } => *at,
        }
    }
}
