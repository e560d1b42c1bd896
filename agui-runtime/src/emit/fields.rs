use crate::protocol::{Event, Metadata, NonNull, Timestamp};

/// What any event may carry besides its own members (AG-UI 1.0, section "Fields of every event").
///
/// Most writes take them one by one: `run.message().metadata(m).await`. What happens at once, such as the END of a
/// message, takes them together: `text.end_with(fields)`.
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
    /// When it happened, in milliseconds since 1970. Without it, what the run's [`Clock`](crate::Clock) says.
    pub timestamp: Option<Timestamp>,
    /// The model provider's event this one came from.
    pub raw_event: Option<NonNull>,
    /// Metadata of what the event builds: the message, the call, the activity; otherwise of the event.
    pub metadata: Option<Metadata>,
}

impl EventFields {
    /// None of them.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says when it happened.
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::Timestamp};
    ///
    /// # async fn example(text: agui_runtime::TextMessage<'_>) -> Result<(), Box<dyn std::error::Error>> {
    /// text.end_with(EventFields::new().with_timestamp(Timestamp::from_millis(1_700_000_000_000)?));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_timestamp(mut self, timestamp: Timestamp) -> Self {
        self.timestamp = Some(timestamp);
        self
    }

    /// Says which event of the model provider it came from.
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
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::Metadata};
    ///
    /// # async fn example(text: agui_runtime::TextMessage<'_>) {
    /// let why = Metadata::from_iter([("acme/finish-reason".to_owned(), "stop".into())]);
    /// text.end_with(EventFields::new().with_metadata(why));
    /// # }
    /// ```
    #[must_use]
    pub fn with_metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = Some(metadata);
        self
    }

    pub(super) fn write(self, event: &mut Event) {
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

/// The fields of one write. Most writes have none, so they cost a word.
pub(crate) type Fields = Option<Box<EventFields>>;

/// The fields of the events after the first that one write sends: the metadata and the provider's event stand on the
/// first alone.
pub(super) fn following(fields: &Fields) -> Fields {
    let timestamp = fields.as_ref()?.timestamp?;
    Some(Box::new(EventFields::new().with_timestamp(timestamp)))
}

/// The methods by which a write takes the fields any event may carry, over its own `with_fields`.
macro_rules! field_methods {
    () => {
        /// When it happened (AG-UI 1.0, section "Fields of every event"). Without it, what the run's
        /// [`Clock`](crate::Clock) says.
        pub fn timestamp(self, timestamp: $crate::protocol::Timestamp) -> Self {
            self.with_fields(|fields| fields.timestamp = Some(timestamp))
        }

        /// The model provider's event this one came from.
        pub fn raw_event(self, event: $crate::protocol::NonNull) -> Self {
            self.with_fields(|fields| fields.raw_event = Some(event))
        }

        /// Metadata of what the event builds: the message, the call, the activity; otherwise of the event.
        pub fn metadata(self, metadata: $crate::protocol::Metadata) -> Self {
            self.with_fields(|fields| fields.metadata = Some(metadata))
        }
    };
}

pub(crate) use field_methods;
