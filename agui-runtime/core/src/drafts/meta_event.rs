//! The draft "Meta Events".

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::JsonObject;

/// An annotation beside the runs, such as a reaction of a user to a message (draft "Meta Events").
///
/// AG-UI 1.0 has no such event, and legacy clients end a run on an unknown one. So keep it beside the conversation, or send it as
/// [RAW](crate::Emit::raw), which every client passes on.
///
/// ```
/// use agui_runtime::drafts::MetaEvent;
/// use serde_json::json;
///
/// let liked = MetaEvent::new("thumbs_up").with("messageId", "msg_456").with("userId", "user_789");
/// assert_eq!(
///     serde_json::to_value(&liked)?,
///     json!({ "type": "META", "metaType": "thumbs_up", "payload": { "messageId": "msg_456", "userId": "user_789" } }),
/// );
/// # async fn example(run: &agui_runtime::Emit, liked: MetaEvent) {
/// run.raw(liked).source("feedback").await;
/// # }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Tagged", into = "Tagged")]
#[non_exhaustive]
pub struct MetaEvent {
    /// The kind of the annotation, by a name of the application: `thumbs_down`, `note`, `tag`, …
    pub meta_type: String,
    /// The values of that kind.
    pub payload: JsonObject,
    /// The other members, such as `id` and `timestamp`.
    pub others: JsonObject,
}

impl MetaEvent {
    /// Returns an annotation without values.
    ///
    /// ```
    /// let event = agui_runtime::drafts::MetaEvent::new("bookmark");
    /// assert!(event.payload.is_empty());
    /// ```
    #[must_use]
    pub fn new(meta_type: impl Into<String>) -> Self {
        Self { meta_type: meta_type.into(), payload: JsonObject::new(), others: JsonObject::new() }
    }

    /// Sets a value.
    ///
    /// ```
    /// let event = agui_runtime::drafts::MetaEvent::new("rating").with("rating", 4).with("maxRating", 5);
    /// assert_eq!(event.payload["rating"], 4);
    /// ```
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.payload.insert(name.into(), value.into());
        self
    }
}

impl From<MetaEvent> for Value {
    fn from(event: MetaEvent) -> Self {
        let own = [
            ("type".to_owned(), "META".into()),
            ("metaType".to_owned(), event.meta_type.into()),
            ("payload".to_owned(), event.payload.into()),
        ];
        own.into_iter().chain(event.others).collect::<JsonObject>().into()
    }
}

/// The event as it is written, with its type.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    #[serde(rename = "META")]
    Meta(Members),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Members {
    meta_type: String,
    payload: JsonObject,
    #[serde(flatten)]
    others: JsonObject,
}

impl From<Tagged> for MetaEvent {
    fn from(Tagged::Meta(Members { meta_type, payload, others }): Tagged) -> Self {
        Self { meta_type, payload, others }
    }
}

impl From<MetaEvent> for Tagged {
    fn from(MetaEvent { meta_type, payload, others }: MetaEvent) -> Self {
        Self::Meta(Members { meta_type, payload, others })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The examples of the draft.
    #[test]
    fn events_of_the_draft_are_read_and_written_again() {
        for event in [
            json!({ "id": "evt_123", "ts": 1_714_063_982_000_u64, "type": "META", "metaType": "thumbs_up",
                    "payload": { "messageId": "msg_456", "userId": "user_789" } }),
            json!({ "type": "META", "metaType": "tag", "payload": { "tags": ["important"], "threadId": "thread_001" } }),
            json!({ "type": "META", "metaType": "moderation", "payload": { "action": "flag", "confidence": 0.95 },
                    "timestamp": 1 }),
        ] {
            let read: MetaEvent = serde_json::from_value(event.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), event);
            assert_eq!(Value::from(read), event);
        }
    }

    #[test]
    fn other_events_are_refused() {
        for other in [
            json!({ "type": "CUSTOM", "metaType": "tag", "payload": {} }),
            json!({ "metaType": "tag", "payload": {} }),
            json!({ "type": "META", "payload": {} }),
            json!({ "type": "META", "metaType": "tag", "payload": [] }),
        ] {
            assert!(serde_json::from_value::<MetaEvent>(other).is_err());
        }
    }
}
