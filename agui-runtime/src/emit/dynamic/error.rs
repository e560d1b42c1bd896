use super::ChunkError;
use crate::order::OrderError;
use crate::protocol::EventType;
use crate::receive::patch::PatchError;

/// Why an event was not forwarded; see [`Dynamic::feed`](super::Dynamic::feed).
///
/// ```
/// use agui_runtime::protocol::EventType;
/// use agui_runtime::DynamicError;
///
/// let error = DynamicError::RunEvent { event_type: EventType::RunFinished };
/// assert_eq!(error.to_string(), "RUN_FINISHED belongs to the run, which only its agent starts and ends");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicError {
    /// It may not come next in its stream: the rule, the event and the id are in there. Its index counts the events of the
    /// stream after expansion, RUN_STARTED being 0.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A chunk that nothing can be made of.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// It starts or ends the run.
    #[error("{event_type} belongs to the run, which only its agent starts and ends")]
    RunEvent {
        /// Which event.
        event_type: EventType,
    },
    /// It restates the conversation.
    #[error("MESSAGES_SNAPSHOT restates a conversation that the forwarded stream does not know")]
    MessagesSnapshot,
    /// The shared state is typed, and the client's copy of it is known.
    #[error("{event_type} would change the state behind the back of the run's typed state")]
    TypedState {
        /// Which event.
        event_type: EventType,
    },
    /// It does not apply to the state that a client from before 1.0 holds.
    #[error("STATE_DELTA does not fit the state of the client: {0}")]
    Delta(#[from] PatchError),
    /// It is about something that its stream did not make.
    #[error("{event_type} is about `{id}`, which the forwarded stream did not make")]
    NotItsOwn {
        /// Which event.
        event_type: EventType,
        /// What it is about.
        id: String,
    },
}
