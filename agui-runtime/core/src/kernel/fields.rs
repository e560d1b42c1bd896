//! Fields that any event may carry.

use crate::protocol::{Event, Metadata, NonNull, Timestamp};

/// Fields that any event may carry besides its own members (AG-UI 1.0, section "Fields of every event").
///
/// Most writes take the fields one by one: `run.message().metadata(m).await`. A write without a builder, such as a message's END,
/// takes all fields together: `text.end_with(fields)`.
///
/// ```
/// use agui_runtime::EventFields;
/// use agui_runtime::protocol::{Metadata, Timestamp};
/// use serde_json::json;
///
/// # async fn example(run: &agui_runtime::Emit) -> Result<(), Box<dyn std::error::Error>> {
/// let mut finish = Metadata::new();
/// finish.insert("acme/finish".to_owned(), json!("stop"));
///
/// let mut text = run.message().timestamp(Timestamp::from_millis(1_700_000_000_000)?).await;
/// text.push("Done.").await;
/// text.end_with(EventFields::new().with_metadata(finish));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventFields {
    /// Event time in milliseconds since 1970. Without a value, the run's [`Clock`](crate::Clock) decides.
    pub timestamp: Option<Timestamp>,
    /// The model provider's event from which this event was made.
    pub raw_event: Option<NonNull>,
    /// Metadata for the message, call or activity that the event builds; otherwise for the event.
    pub metadata: Option<Metadata>,
}

impl EventFields {
    /// Returns [`EventFields`] without values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the event time.
    #[must_use]
    pub fn with_timestamp(mut self, timestamp: Timestamp) -> Self {
        self.timestamp = Some(timestamp);
        self
    }

    /// Sets the model provider's event from which this event was made.
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::NonNull};
    /// use serde_json::json;
    ///
    /// # async fn example(text: agui_runtime::TextMessage<'_>) {
    /// if let Some(event) = NonNull::new(json!({"type": "response.output_text.done"})) {
    ///     text.end_with(EventFields::new().with_raw_event(event));
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn with_raw_event(mut self, event: NonNull) -> Self {
        self.raw_event = Some(event);
        self
    }

    /// Adds metadata.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = Some(metadata);
        self
    }

    pub(crate) fn write(self, event: &mut Event) {
        if self.timestamp.is_some() {
            *event.timestamp_mut() = self.timestamp;
        }
        if self.raw_event.is_some() {
            *event.raw_event_mut() = self.raw_event;
        }
        if self.metadata.is_some() {
            *event.metadata_mut() = self.metadata;
        }
    }
}

/// Fields for one write. Boxed, because most writes have none.
pub(crate) type WriteFields = Option<Box<EventFields>>;

/// Returns the fields for all events after the first in one write: metadata and the provider's event go on the first event only.
pub(crate) fn following(fields: &WriteFields) -> WriteFields {
    let timestamp = fields.as_ref()?.timestamp?;
    Some(Box::new(EventFields::new().with_timestamp(timestamp)))
}

/// Defines the field methods of a write on top of `with_fields`.
macro_rules! field_methods {
    () => {
        /// Sets the event time (AG-UI 1.0, section "Fields of every event"). Without a value, the run's [`Clock`](crate::Clock)
        /// decides.
        ///
        /// ```
        /// use agui_runtime::protocol::{OutOfRange, Timestamp};
        ///
        /// # async fn example(run: &agui_runtime::Emit) -> Result<(), OutOfRange> {
        /// run.say("Ready.").timestamp(Timestamp::from_millis(1_700_000_000_000)?).await;
        /// # Ok(())
        /// # }
        /// ```
        pub fn timestamp(self, timestamp: $crate::protocol::Timestamp) -> Self {
            self.with_fields(|fields| fields.timestamp = Some(timestamp))
        }

        /// Sets the model provider's event from which this event was made.
        ///
        /// ```
        /// use agui_runtime::protocol::NonNull;
        /// use serde_json::json;
        ///
        /// # async fn example(run: &agui_runtime::Emit) {
        /// if let Some(event) = NonNull::new(json!({"type": "response.output_text.done"})) {
        ///     run.say("Ready.").raw_event(event).await;
        /// }
        /// # }
        /// ```
        pub fn raw_event(self, event: $crate::protocol::NonNull) -> Self {
            self.with_fields(|fields| fields.raw_event = Some(event))
        }

        /// Sets metadata for the message, call or activity that the event builds; otherwise for the event.
        ///
        /// ```
        /// use agui_runtime::protocol::Metadata;
        ///
        /// # async fn example(run: &agui_runtime::Emit) {
        /// run.say("Ready.").metadata(Metadata::from_iter([("acme/model", "small".into())])).await;
        /// # }
        /// ```
        pub fn metadata(self, metadata: $crate::protocol::Metadata) -> Self {
            self.with_fields(|fields| fields.metadata = Some(metadata))
        }
    };
}

pub(crate) use field_methods;
