//! What is odd about an event that is in order.

use crate::protocol::{EventType, MessageId, Role, ToolCallId};
use crate::receive::patch::PatchError;

/// Why an event has less effect than it could have. Nothing of it ends a run (AG-UI 1.0, section "Apply").
///
/// ```
/// use agui_runtime::protocol::{JsonPatch, JsonPointer, PatchOperation, StateDeltaEvent};
/// use agui_runtime::receive::reduce::Reducer;
///
/// let mut reducer = Reducer::new();
/// let patch = JsonPatch::from([PatchOperation::remove(JsonPointer::root().child("price"))]);
/// let applied = reducer.apply(&StateDeltaEvent::new(patch).into())?;
/// assert_eq!(
///     applied.warning.unwrap().to_string(),
///     "the state stays as it is: operation 0 does not apply at `/price`: nothing is there",
/// );
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceWarning {
    /// It adds to a message that is not there.
    #[error("{event_type} of `{id}`: there is no such message")]
    NoMessage {
        /// The event.
        event_type: EventType,
        /// The message.
        id: MessageId,
    },
    /// It adds to a call that is not there.
    #[error("{event_type} of `{id}`: there is no such call")]
    NoCall {
        /// The event.
        event_type: EventType,
        /// The call.
        id: ToolCallId,
    },
    /// It adds text to an activity, or changes as an activity what is none.
    #[error("{event_type} of `{id}`: that is the id of a message of role {role}")]
    OtherRole {
        /// The event.
        event_type: EventType,
        /// The message.
        id: MessageId,
        /// What it is.
        role: Role,
    },
    /// It starts a call in a message that carries no calls; the call got a message of its own.
    #[error(
        "the call `{call}` cannot be in `{parent}`, a message of role {role}, and has got one of its own"
    )]
    ParentOfOtherRole {
        /// The call.
        call: ToolCallId,
        /// The message named.
        parent: MessageId,
        /// What it is.
        role: Role,
    },
    /// So many messages have one id that what is said of it once may not be copied into all of them
    /// ([`Reducer::with_copy_limit`](super::Reducer::with_copy_limit)); the others stay as they are.
    #[error("messages with the id `{id}` stay as they are: copies may make no more than {limit} bytes")]
    TooManyOfOneId {
        /// The id.
        id: MessageId,
        /// How many bytes may be copied.
        limit: usize,
    },
    /// It starts a call again with another tool; the call is that tool's now.
    #[error("the call `{call}` was one of `{was}` before")]
    Renamed {
        /// The call.
        call: ToolCallId,
        /// The tool it was a call of.
        was: String,
    },
    /// It encrypts something that is not there.
    #[error("the encrypted value is of `{id}`, which is not there")]
    NothingToEncrypt {
        /// The message or call.
        id: String,
    },
    /// It changes the state, and does not apply to it.
    #[error("the state stays as it is: {0}")]
    StatePatch(#[source] PatchError),
    /// It changes an activity, and does not apply to it.
    #[error("the activity `{id}` stays as it is: {error}")]
    ActivityPatch {
        /// The activity message.
        id: MessageId,
        /// What does not apply.
        #[source]
        error: PatchError,
    },
    /// It would make the content of an activity something else than an object.
    #[error("the activity `{id}` stays as it is: its content would not be an object any more")]
    ActivityNotAnObject {
        /// The activity message.
        id: MessageId,
    },
    /// It carries JSON text that cannot be read, which no event from a wire does.
    #[error("{event_type} cannot be read: {reason}")]
    Unreadable {
        /// The event.
        event_type: EventType,
        /// What is wrong with the text.
        reason: String,
    },
}
