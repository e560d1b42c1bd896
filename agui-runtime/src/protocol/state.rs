//! Shared state and the conversation as a whole (AG-UI 1.0, section "State and conversation").

use super::base::event;
use super::message::Message;
use super::written::{JsonDocument, JsonPatch};

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
    pub struct StateDeltaEvent is StateDelta [attributable] {
        /// What changes; nothing is legal.
        delta: JsonPatch,
    }
}

event! {
    /// Restates the conversation of the whole thread.
    pub struct MessagesSnapshotEvent is MessagesSnapshot [unattributed] {
        /// All messages, oldest first.
        messages: Vec<Message>,
    }
}
