//! The reader's end of the hub: it takes all there is at once, so that most events cost it no lock.

use std::collections::VecDeque;

use super::hub::Hub;
use crate::protocol::Event;

/// What the reader took from the hub and has not read yet.
#[derive(Debug, Default)]
pub(crate) struct Batch(VecDeque<Event>);

impl Batch {
    /// Whether there is an event. With the last of a batch, whoever waits for room is called.
    #[inline]
    pub(crate) fn fill(&mut self, hub: &Hub) -> bool {
        match self.0.len() {
            0 => hub.lend(&mut self.0),
            1 => hub.give_back(),
            _ => {}
        }
        !self.0.is_empty()
    }

    /// The event that [`take`](Self::take) gives next.
    pub(crate) fn front(&self) -> Option<&Event> {
        self.0.front()
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<Event> {
        self.0.pop_front()
    }
}

/// All that was said and not read.
#[cfg(test)]
pub(super) fn said(hub: &Hub) -> impl Iterator<Item = Event> {
    let mut batch = Batch::default();
    std::iter::from_fn(move || if batch.fill(hub) { batch.take() } else { None })
}
