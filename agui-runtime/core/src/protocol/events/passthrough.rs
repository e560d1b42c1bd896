//! Events whose content the protocol does not interpret (AG-UI 1.0, section "Passthrough").

use serde_json::Value;

use super::base::event;

event! {
    /// Another system's event, unchanged. Nothing may be derived from this event.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RawEvent};
    /// use serde_json::json;
    ///
    /// let event = Event::from(RawEvent::new(json!({ "kind": "token_count" })).with_source("acme"));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"RAW","event":{"kind":"token_count"},"source":"acme"}"#,
    /// );
    /// ```
    pub struct RawEvent is Raw [attributable] {
        /// The event, any value.
        event: Value,
        /// The system that sent the event.
        source: Option<String> => with_source,
    }
}

event! {
    /// An application event in JSON form; [`CustomEvent`](trait@crate::CustomEvent) is the typed form.
    ///
    /// ```
    /// use agui_runtime::protocol::{CustomEvent, Event};
    /// use serde_json::json;
    ///
    /// let event = Event::from(CustomEvent::new("acme/sizzle", json!({ "celsius": 180 })));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"CUSTOM","name":"acme/sizzle","value":{"celsius":180}}"#,
    /// );
    /// ```
    pub struct CustomEvent is Custom [attributable] {
        /// Event name; names without a prefix are reserved for the protocol.
        name: String,
        /// The value, any JSON.
        value: Value,
    }
}
