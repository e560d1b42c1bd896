//! The hub's reader: takes all events at once, so that most events need no lock.

use std::collections::VecDeque;

use super::hub::KernelHub;
use crate::protocol::Event;

/// The events that the reader took from the hub and has not returned yet.
#[derive(Debug, Default)]
pub(crate) struct EventBatch(VecDeque<Event>);

impl EventBatch {
    /// Returns true if an event is available. Wakes the writers that wait for room before the last event of a batch is returned.
    #[inline]
    pub(crate) fn fill(&mut self, hub: &KernelHub) -> bool {
        match self.0.len() {
            0 => hub.fill_batch(&mut self.0),
            1 => hub.give_back(),
            _ => {}
        }
        !self.0.is_empty()
    }

    /// Returns the event that [`take`](Self::take) returns next.
    pub(crate) fn front(&self) -> Option<&Event> {
        self.0.front()
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<Event> {
        self.0.pop_front()
    }
}

/// Returns all events that were sent and not read.
#[cfg(test)]
pub(crate) fn sent_events(hub: &KernelHub) -> impl Iterator<Item = Event> {
    let mut batch = EventBatch::default();
    std::iter::from_fn(move || if batch.fill(hub) { batch.take() } else { None })
}
