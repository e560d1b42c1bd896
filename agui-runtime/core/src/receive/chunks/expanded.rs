//! Expansion's output events.

use std::collections::VecDeque;

use crate::protocol::Event;

/// An iterator over the events that one event expands to: itself, several, or none.
///
/// ```
/// use agui_runtime::protocol::{Event, StepStartedEvent};
/// use agui_runtime::receive::chunks::ChunkExpander;
///
/// let event: Event = StepStartedEvent::new("plan").into();
/// let expanded = ChunkExpander::new().expand(event.clone())?;
/// assert_eq!(expanded.collect::<Vec<_>>(), [event]);
/// # Ok::<(), agui_runtime::receive::chunks::ChunkError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExpandedEvents {
    /// Nearly every event becomes exactly one, which needs no list.
    first: Option<Event>,
    rest: VecDeque<Event>,
}

impl ExpandedEvents {
    /// Adds an event at the end.
    pub(super) fn push(&mut self, event: Event) {
        if self.is_nothing() {
            self.first = Some(event);
        } else {
            self.rest.push_back(event);
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.first.is_none() && self.rest.is_empty()
    }
}

impl From<Event> for ExpandedEvents {
    fn from(event: Event) -> Self {
        Self { first: Some(event), rest: VecDeque::new() }
    }
}

impl Iterator for ExpandedEvents {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.first.take().or_else(|| self.rest.pop_front())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.first.is_some()) + self.rest.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for ExpandedEvents {}
