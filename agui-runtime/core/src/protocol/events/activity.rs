//! Activity events: content that is shown beside the conversation, one object each (AG-UI 1.0, section "Activity").

use super::base::event;
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::any_json::written::JsonPatch;
use crate::protocol::id::MessageId;

event! {
    /// Creates an activity message or replaces the message's content.
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
        message_id as "messageId": MessageId,
        /// Activity type, a name that the application chooses.
        activity_type as "activityType": String,
        /// The content; its members are free.
        content: Box<JsonObject>,
        /// `false` keeps an existing message with this id unchanged; absent means `true`.
        replace: Option<bool> => with_replace,
    }
}

event! {
    /// Changes an activity message's content.
    ///
    /// ```
    /// use agui_runtime::protocol::{ActivityDeltaEvent, Event, JsonPointer, PatchOperation};
    /// use serde_json::json;
    ///
    /// let packed = PatchOperation::add(JsonPointer::root().child("done").child("-"), "umbrella");
    /// let event: Event = ActivityDeltaEvent::new("a-1", "PACKING", vec![packed]).into();
    /// assert_eq!(
    ///     serde_json::to_value(event).unwrap(),
    ///     json!({
    ///         "type": "ACTIVITY_DELTA", "messageId": "a-1", "activityType": "PACKING",
    ///         "patch": [{ "op": "add", "path": "/done/-", "value": "umbrella" }],
    ///     }),
    /// );
    /// ```
    pub struct ActivityDeltaEvent is ActivityDelta [attributable] {
        /// The activity message.
        message_id as "messageId": MessageId,
        /// Activity type; replaces the message's type.
        activity_type as "activityType": String,
        /// The changes; the content must stay an object.
        patch: JsonPatch,
    }
}
