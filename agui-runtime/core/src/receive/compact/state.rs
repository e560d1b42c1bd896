//! The state events between two run ends.

use super::item::merge;
use crate::json::patch::{CopyLimit, StepLimit, patch_within};
use crate::protocol::{Event, EventType, Metadata, StateSnapshotEvent, missing_code};
use crate::receive::reduce::ReduceWarning;

#[derive(Debug, Default)]
pub(super) struct StateWindow {
    /// The events in order. Events before the last snapshot are dropped, because the snapshot replaces their effect.
    events: Vec<Event>,
    /// All events' metadata, also from dropped events.
    said: Option<Metadata>,
    has_snapshot: bool,
}

impl StateWindow {
    pub(super) fn take(&mut self, event: Event) {
        merge(&mut self.said, event.metadata());
        if matches!(event, Event::StateSnapshot(_)) {
            self.events.clear();
            self.has_snapshot = true;
        }
        self.events.push(event);
    }

    /// Appends the state events. Without a snapshot the deltas have no known start, so they are appended unchanged.
    pub(super) fn flush(
        &mut self,
        copies: &mut CopyLimit,
        steps: &mut StepLimit,
        into: &mut Vec<Event>,
        warn: &mut dyn FnMut(ReduceWarning),
    ) {
        let Self { events, said, has_snapshot } = std::mem::take(self);
        if !has_snapshot {
            into.extend(events);
            return;
        }
        let mut state = serde_json::Value::Null;
        let unreadable = |event_type: EventType, cause: &serde_json::Error| ReduceWarning::Unreadable {
            event_type,
            reason: cause.to_string(),
        };
        for event in events {
            let event_type = event.event_type();
            match event {
                Event::StateSnapshot(snapshot) => match snapshot.snapshot.value() {
                    Ok(value) => state = value.into_owned(),
                    Err(cause) => warn(unreadable(event_type, &cause)),
                },
                Event::StateDelta(delta) => match delta.delta.operations() {
                    Ok(operations) => {
                        if let Err(error) = patch_within(&mut state, &operations, copies, steps) {
                            warn(ReduceWarning::StatePatch(error));
                        }
                    }
                    Err(cause) => warn(unreadable(event_type, &cause)),
                },
                event => missing_code("compacted", event.event_type()),
            }
        }
        let mut snapshot = StateSnapshotEvent::new(state);
        snapshot.metadata = said;
        into.push(snapshot.into());
    }
}
