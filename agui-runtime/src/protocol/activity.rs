//! Activities: things to show beside the text, each with an object as content (AG-UI 1.0, section "Activity").

use super::base::event;
use super::id::MessageId;
use super::json::JsonObject;
use super::written::JsonPatch;

event! {
    /// Creates an activity message or replaces its content.
    ///
    /// ```
    /// use agui_runtime::protocol::{ActivitySnapshotEvent, Event, JsonObject};
    /// use serde_json::json;
    ///
    /// let content = JsonObject::from_iter([("done".to_owned(), json!(["umbrella"]))]);
    /// let event: Event = ActivitySnapshotEvent::new("a-1", "PACKING", content).with_replace(true).into();
    /// assert_eq!(
    ///     serde_json::to_value(event).unwrap(),
    ///     json!({
    ///         "type": "ACTIVITY_SNAPSHOT", "messageId": "a-1", "activityType": "PACKING",
    ///         "content": { "done": ["umbrella"] }, "replace": true,
    ///     }),
    /// );
    /// ```
    pub struct ActivitySnapshotEvent is ActivitySnapshot [attributable] {
        /// The activity message.
        message_id: MessageId,
        /// What kind of activity; the application's choice.
        activity_type: String,
        /// The content, open.
        content: Box<JsonObject>,
        /// `false` leaves an existing message of this id alone; absent means `true`.
        replace: Option<bool> => with_replace,
    }
}

event! {
    /// Changes the content of an activity message.
    pub struct ActivityDeltaEvent is ActivityDelta [attributable] {
        /// The activity message.
        message_id: MessageId,
        /// What kind of activity; replaces the message's.
        activity_type: String,
        /// What changes; the content must stay an object.
        patch: JsonPatch,
    }
}
