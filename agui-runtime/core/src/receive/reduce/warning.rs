//! Warnings about events that are in order.

use crate::json::patch::PatchError;
use crate::protocol::{EventType, MessageId, Role, ToolCallId};

/// The reason why an event had less effect than it could have. A warning never ends a run (AG-UI 1.0, section "Apply").
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
///     "the state is unchanged: operation 0 does not apply at `/price`: the path does not exist",
/// );
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceWarning {
    /// The event adds to an unknown message.
    #[error("{event_type} of `{id}`: no message has this id")]
    NoMessage {
        /// The event.
        event_type: EventType,
        /// The message.
        id: MessageId,
    },
    /// The event adds to an unknown call.
    #[error("{event_type} of `{id}`: no call has this id")]
    NoCall {
        /// The event.
        event_type: EventType,
        /// The call.
        id: ToolCallId,
    },
    /// The event adds text to an activity, or changes a message that is not an activity as one.
    #[error("{event_type} of `{id}`: this id belongs to a message of role {role}")]
    OtherRole {
        /// The event.
        event_type: EventType,
        /// The message.
        id: MessageId,
        /// The message's role.
        role: Role,
    },
    /// The event starts a call in a message that cannot carry calls; the call got its own message.
    #[error(
        "the call `{call}` cannot belong to `{parent}`, a message of role {role}; it got its own message"
    )]
    ParentOfOtherRole {
        /// The call.
        call: ToolCallId,
        /// The named message.
        parent: MessageId,
        /// The named message's role.
        role: Role,
    },
    /// Several messages have one id, and copying a snapshot's message into all of them exceeds the limit
    /// ([`Reducer::with_copy_limit`](super::Reducer::with_copy_limit)). The remaining messages are unchanged.
    #[error("messages with the id `{id}` are unchanged: the copies would have more than {limit} bytes")]
    TooManyOfOneId {
        /// The id.
        id: MessageId,
        /// The limit in bytes.
        limit: usize,
    },
    /// The event starts a known call with another tool; the call now has that tool.
    #[error("the call `{call}` changed its tool; it was a call of `{was}`")]
    Renamed {
        /// The call.
        call: ToolCallId,
        /// The earlier tool.
        was: String,
    },
    /// The event attaches an encrypted value to an unknown message or call.
    #[error("the encrypted value belongs to `{id}`, which is unknown")]
    NothingToEncrypt {
        /// The message or call.
        id: String,
    },
    /// The delta does not apply to the state.
    #[error("the state is unchanged: {0}")]
    StatePatch(#[source] PatchError),
    /// The delta does not apply to the activity.
    #[error("the activity `{id}` is unchanged: {error}")]
    ActivityPatch {
        /// The activity message.
        id: MessageId,
        /// The reason.
        #[source]
        error: PatchError,
    },
    /// The delta would replace an activity's content with a value that is not an object.
    #[error("the activity `{id}` is unchanged: its content must stay an object")]
    ActivityNotAnObject {
        /// The activity message.
        id: MessageId,
    },
    /// The event contains JSON text that cannot be read; no event from a transport does.
    #[error("{event_type} cannot be read: {reason}")]
    Unreadable {
        /// The event.
        event_type: EventType,
        /// The JSON reader's error.
        reason: String,
    },
}
