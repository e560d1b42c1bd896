use serde_json::Value;

use super::diff::diff;
use super::{State, StateError};
use crate::protocol::{Event, StateDeltaEvent, StateSnapshotEvent};

/// What the client holds, as far as this run has told it.
pub(crate) struct Shadow {
    sent: Value,
}

impl Shadow {
    pub(crate) fn of<S: State>(state: &S) -> Result<Self, StateError> {
        Ok(Self { sent: super::text_value(state)? })
    }

    pub(super) fn sent(&self) -> &Value {
        &self.sent
    }

    pub(crate) fn snapshot(&self) -> Event {
        StateSnapshotEvent::new(self.sent.clone()).into()
    }

    /// The event that brings the client up to date; `None` when it is.
    pub(crate) fn flush<S: State>(&mut self, now: &S) -> Result<Option<Event>, StateError> {
        let now = super::text_value(now)?;
        let ops = diff(&self.sent, &now);
        self.sent = now;
        if ops.is_empty() {
            return Ok(None);
        }
        // Operations longer than the document say no more than the document itself.
        let whole = serde_json::to_string(&self.sent)?.len();
        let delta = serde_json::to_string(&ops)?.len();
        Ok(Some(if delta > whole { self.snapshot() } else { StateDeltaEvent::new(ops).into() }))
    }
}
