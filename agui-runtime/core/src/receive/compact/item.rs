//! A text message or a call whose events are collected.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::protocol::{
    Event, Metadata, TextMessageContentEvent, TextMessageStartEvent, ToolCallArgsEvent, ToolCallStartEvent,
};

/// The messages or calls being collected, by id, in the order they began.
#[derive(Debug)]
pub(super) struct CollectedSpans<S> {
    numbers: HashMap<Arc<str>, u64>,
    items: BTreeMap<u64, (Arc<str>, CollectedSpan<S>)>,
    begun: u64,
}

/// One message's or call's collected parts.
#[derive(Debug)]
pub(super) struct CollectedSpan<S> {
    start: Option<S>,
    /// The joined deltas; `None` before the first.
    delta: Option<String>,
    /// The metadata from deltas, and from starts that came after them.
    late: Option<Metadata>,
    followers: Vec<Event>,
}

/// The event that begins a message or call.
pub(super) trait SpanStartEvent: Into<Event> {
    fn metadata(&mut self) -> &mut Option<Metadata>;
    fn delta(id: &str, delta: String, metadata: Option<Metadata>) -> Event;
}

impl SpanStartEvent for TextMessageStartEvent {
    fn metadata(&mut self) -> &mut Option<Metadata> {
        &mut self.metadata
    }

    fn delta(id: &str, delta: String, metadata: Option<Metadata>) -> Event {
        let mut content = TextMessageContentEvent::new(id, delta);
        content.metadata = metadata;
        content.into()
    }
}

impl SpanStartEvent for ToolCallStartEvent {
    fn metadata(&mut self) -> &mut Option<Metadata> {
        &mut self.metadata
    }

    fn delta(id: &str, delta: String, metadata: Option<Metadata>) -> Event {
        let mut args = ToolCallArgsEvent::new(id, delta);
        args.metadata = metadata;
        args.into()
    }
}

impl<S> Default for CollectedSpans<S> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), items: BTreeMap::new(), begun: 0 }
    }
}

impl<S> Default for CollectedSpan<S> {
    fn default() -> Self {
        Self { start: None, delta: None, late: None, followers: Vec::new() }
    }
}

impl<S> CollectedSpans<S> {
    /// Returns the span with an id, and creates the span if needed.
    pub(super) fn entry(&mut self, id: &str) -> &mut CollectedSpan<S> {
        let number = match self.numbers.get(id) {
            Some(number) => *number,
            None => {
                self.begun += 1;
                self.numbers.insert(Arc::from(id), self.begun);
                self.begun
            }
        };
        &mut self.items.entry(number).or_insert_with(|| (Arc::from(id), CollectedSpan::default())).1
    }

    /// Removes and returns the span with an id.
    pub(super) fn take(&mut self, id: &str) -> CollectedSpan<S> {
        let item = self.numbers.remove(id).and_then(|number| self.items.remove(&number));
        item.map(|(_, item)| item).unwrap_or_default()
    }

    /// Returns the list for events that interrupt the oldest started span.
    pub(super) fn followers(&mut self) -> Option<&mut Vec<Event>> {
        self.items.values_mut().find(|(_, item)| item.start.is_some()).map(|(_, item)| &mut item.followers)
    }

    pub(super) fn into_all(self) -> impl Iterator<Item = (Arc<str>, CollectedSpan<S>)> {
        self.items.into_values()
    }
}

impl<S: SpanStartEvent> CollectedSpan<S> {
    /// Begins the span, or begins it again: the newer start counts, with the older starts' metadata.
    pub(super) fn start(&mut self, mut start: S) {
        let mut said = self.start.as_mut().and_then(|older| older.metadata().take());
        if self.delta.is_none() {
            merge(&mut said, start.metadata().as_ref());
        } else {
            // The one start precedes the one delta, so metadata of a start that came after a delta must be
            // merged after it.
            merge(&mut self.late, start.metadata().as_ref());
        }
        *start.metadata() = said;
        self.start = Some(start);
    }

    pub(super) fn add(&mut self, delta: &str, metadata: Option<&Metadata>) {
        self.delta.get_or_insert_default().push_str(delta);
        merge(&mut self.late, metadata);
    }

    pub(super) fn flush(self, id: &str, end: Option<Event>, into: &mut Vec<Event>) {
        into.extend(self.start.map(Into::into));
        into.extend(self.delta.map(|delta| S::delta(id, delta, self.late)));
        into.extend(end);
        into.extend(self.followers);
    }
}

/// Merges key by key; a newer value wins. Absent metadata differs from an empty object.
pub(super) fn merge(target: &mut Option<Metadata>, metadata: Option<&Metadata>) {
    if let Some(metadata) = metadata {
        target.get_or_insert_default().merge(metadata.clone());
    }
}
