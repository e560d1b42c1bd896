//! Shared state and the whole conversation (AG-UI 1.0, section "State and conversation").

use super::base::event;
use crate::protocol::any_json::written::{JsonDocument, JsonPatch};
use crate::protocol::conversation::message::Message;

event! {
    /// Replaces the shared state.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, StateSnapshotEvent};
    /// use serde_json::Value;
    ///
    /// // `null` is a state; a missing snapshot is an error.
    /// let event: Event = serde_json::from_str(r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#).unwrap();
    /// assert_eq!(event, StateSnapshotEvent::new(Value::Null).into());
    /// assert!(serde_json::from_str::<Event>(r#"{"type":"STATE_SNAPSHOT"}"#).is_err());
    /// ```
    pub struct StateSnapshotEvent is StateSnapshot [attributable] {
        /// The state, any value.
        snapshot: JsonDocument,
    }
}

event! {
    /// Changes the shared state.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, JsonPointer, PatchOperation, StateDeltaEvent};
    ///
    /// let operation = PatchOperation::replace(JsonPointer::root().child("servings"), 4);
    /// let event = Event::from(StateDeltaEvent::new(vec![operation]));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/servings","value":4}]}"#,
    /// );
    /// ```
    pub struct StateDeltaEvent is StateDelta [attributable] {
        /// The changes; an empty list is legal.
        delta: JsonPatch,
    }
}

event! {
    /// Restates the whole thread's conversation.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, MessagesSnapshotEvent, UserMessage};
    ///
    /// let event = Event::from(MessagesSnapshotEvent::new([UserMessage::new("u-1", "Hi").into()]));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u-1","role":"user","content":"Hi"}]}"#,
    /// );
    /// ```
    pub struct MessagesSnapshotEvent is MessagesSnapshot [unattributed] {
        /// All messages, oldest first.
        messages: Vec<Message>,
    }
}
