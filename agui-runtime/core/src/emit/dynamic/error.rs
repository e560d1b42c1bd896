//! Errors for forwarded events.

use crate::json::patch::PatchError;
use crate::order::OrderError;
use crate::protocol::EventType;
use crate::receive::ChunkError;

/// An event was not forwarded; see [`Dynamic::feed`](super::Dynamic::feed).
///
/// ```
/// use agui_runtime::protocol::EventType;
/// use agui_runtime::events::DynamicError;
///
/// let error = DynamicError::RunEvent { event_type: EventType::RunFinished };
/// assert_eq!(error.to_string(), "RUN_FINISHED belongs to the run, which only its agent starts and ends");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicError {
    /// The event is not allowed at its position in the stream. The error has the rule, the event and the id; its index counts the
    /// stream's events after expansion, from RUN_STARTED at 0.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A chunk that cannot be expanded.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// A START, CONTENT or END for a span that is sent in chunks: a span has one form (AG-UI 1.0, "Producers").
    #[error("{event_type} of `{id}` is not a chunk, and its item is sent in chunks")]
    Mixed {
        /// The event type.
        event_type: EventType,
        /// The message or call.
        id: String,
    },
    /// The event starts or ends the run.
    #[error("{event_type} belongs to the run, which only its agent starts and ends")]
    RunEvent {
        /// The event type.
        event_type: EventType,
    },
    /// The event restates the conversation.
    #[error("MESSAGES_SNAPSHOT restates a conversation that the forwarded stream does not know")]
    MessagesSnapshot,
    /// The shared state is typed, and the client's copy is known.
    #[error("{event_type} would change the client's state, and the run's typed state would not know it")]
    TypedState {
        /// The event type.
        event_type: EventType,
    },
    /// The delta does not apply to the state that a legacy client holds.
    #[error("STATE_DELTA does not fit the state of the client: {0}")]
    Delta(#[from] PatchError),
    /// The event names a message, call or activity that its stream did not create.
    #[error("{event_type} is about `{id}`, which the forwarded stream did not make")]
    NotItsOwn {
        /// The event type.
        event_type: EventType,
        /// The named id.
        id: String,
    },
}
