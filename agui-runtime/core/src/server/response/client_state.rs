//! State of a legacy client, which gets only deltas that apply.
//!
//! CopilotKit's runtime folds a run's state events from `{}`, and its process ends at a delta that does not apply. A run from this
//! crate sends such clients a snapshot first, and deltas that apply. For other streams, the client's state is the sent state,
//! changed by the stream so far: before a run's first delta, this state is sent as a snapshot.

use std::borrow::Cow;

use serde_json::Value;

use crate::agent::MAX_LOGGED;
use crate::kernel::LegacyState;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::{Event, JsonDocument, NonNull, StateDeltaEvent, StateSnapshotEvent};
use crate::quoted::quoted_up_to;
use crate::state::{StateError, read_sent};

/// A legacy client's state.
pub(in crate::server) struct LegacyClientState {
    /// The sent state, until it is read.
    sent: Option<NonNull>,
    allowance: MemoryAllowance,
    /// The current state, across all runs in the stream.
    held: LegacyState,
    /// True if the current run has a snapshot.
    has_snapshot: bool,
    /// True if a delta in the current run was left out and logged.
    is_reported: bool,
}

impl LegacyClientState {
    pub(in crate::server) fn new(sent: Option<NonNull>, allowance: MemoryAllowance) -> Self {
        Self { sent, allowance, held: LegacyState::default(), has_snapshot: false, is_reported: false }
    }

    /// Returns the current state, if it was read.
    pub(in crate::server) fn document(&self) -> Option<&Value> {
        self.held.document.as_ref()
    }

    /// Returns the events for the client: none for a delta that does not apply, and a snapshot before a run's first delta.
    pub(in crate::server) fn admit(&mut self, event: Event) -> [Option<Event>; 2] {
        match &event {
            Event::RunStarted(_) => {
                // The limits of copies and steps are those of one run.
                let document = self.held.document.take();
                self.held = LegacyState::default();
                self.held.document = document;
                (self.has_snapshot, self.is_reported) = (false, false);
            }
            Event::StateSnapshot(snapshot) => {
                // No delta applies to a state that cannot be read.
                self.held.document = Some(snapshot.snapshot.value().map(Cow::into_owned).unwrap_or_default());
                self.has_snapshot = true;
            }
            Event::StateDelta(delta) => match self.apply(delta) {
                Ok(snapshot) => return [snapshot.map(Into::into), Some(event)],
                Err(reason) => {
                    if !std::mem::replace(&mut self.is_reported, true) {
                        tracing::warn!(
                            reason = %quoted_up_to(MAX_LOGGED, reason),
                            "STATE_DELTA left out: this is a legacy client, and its process may end at a delta that does not apply"
                        );
                    }
                    return [None, None];
                }
            },
            _ => {}
        }
        [None, Some(event)]
    }

    /// Applies a delta. Returns the snapshot that the run owes first.
    fn apply(&mut self, delta: &StateDeltaEvent) -> Result<Option<StateSnapshotEvent>, String> {
        if self.held.document.is_none()
            && let Some(sent) = self.sent.take()
        {
            let read = read_sent(sent.lazy(), &self.allowance, "/state")
                .map_err(|bytes| StateError::TooLarge { bytes }.to_string())?;
            self.held.document = read.ok();
        }
        let Some(document) = &self.held.document else {
            return Err("its run has no STATE_SNAPSHOT, and its input no state".to_owned());
        };
        let before = (!self.has_snapshot).then(|| document.clone());
        let operations = delta.delta.operations().map_err(|error| error.to_string())?;
        self.held.patch(&operations).map_err(|error| error.to_string())?;
        self.has_snapshot = true;
        Ok(before.map(|document| StateSnapshotEvent::new(JsonDocument::from(document))))
    }
}
