//! Events the protocol carries without looking inside (AG-UI 1.0, section "Passthrough").

use serde_json::Value;

use super::base::event;

event! {
    /// An event of another system, as it came. Nothing may be derived from it.
    pub struct RawEvent is Raw [attributable] {
        /// The event, any value.
        event: Value,
        /// Where it came from.
        source: Option<String> => with_source,
    }
}

event! {
    /// An event of the application.
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
        /// Which one; names without a prefix are reserved for the protocol.
        name: String,
        /// What it says, any value.
        value: Value,
    }
}
