//! Access to the fields of any event (AG-UI 1.0, section "Fields of every event").

use super::event::Event;
use crate::protocol::any_json::json::NonNull;
use crate::protocol::id::SubagentRunId;
use crate::protocol::metadata::Metadata;
use crate::protocol::number::Timestamp;

impl Event {
    /// Returns the event time, if any.
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        *self.base().timestamp()
    }

    /// Returns the timestamp for writing: set or remove it.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, StepStartedEvent, Timestamp};
    ///
    /// let mut event: Event = StepStartedEvent::new("plan").into();
    /// *event.timestamp_mut() = Some(Timestamp::from(5));
    /// assert_eq!(event.timestamp(), Some(Timestamp::from(5)));
    /// ```
    pub fn timestamp_mut(&mut self) -> &mut Option<Timestamp> {
        self.base_mut().timestamp_mut()
    }

    /// Returns the model provider's event from which this event was made.
    #[must_use]
    pub fn raw_event(&self) -> Option<&NonNull> {
        self.base().raw_event().as_ref()
    }

    /// Returns the provider's event for writing: set or remove it.
    pub fn raw_event_mut(&mut self) -> &mut Option<NonNull> {
        self.base_mut().raw_event_mut()
    }

    /// Returns the metadata.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        self.base().metadata().as_ref()
    }

    /// Returns the metadata for writing: set or remove it.
    pub fn metadata_mut(&mut self) -> &mut Option<Metadata> {
        self.base_mut().metadata_mut()
    }

    /// Returns the subagent tag for writing: set or remove it. `None` for events that cannot carry a tag, and for a subagent's own
    /// start and end, whose tag is required.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunErrorEvent, StepStartedEvent};
    ///
    /// let mut event: Event = StepStartedEvent::new("plan").into();
    /// *event.subagent_run_id_mut().unwrap() = Some("s-1".into());
    /// assert_eq!(event.subagent_run_id().unwrap().as_str(), "s-1");
    /// ```
    pub fn subagent_run_id_mut(&mut self) -> Option<&mut Option<SubagentRunId>> {
        self.base_mut().subagent_run_id_mut()
    }
}
