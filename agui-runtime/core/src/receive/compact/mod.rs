//! Compaction: a recorded stream becomes a shorter one that folds to the same, with known exceptions (AG-UI 1.0, section
//! "Compaction").
//!
//! | file | collects |
//! |---|---|
//! | `item` | a text message or a call: the start, one delta, the end, and after them the events that came in between |
//! | `state` | the state events between two run ends: one snapshot, if there is one to start from |
//!
//! The exceptions are the official client's: spans are placed where they ended, events that interrupted them follow, and merged
//! deltas and snapshots lose their subagent, timestamp and provider's event. Use compaction for storing history, not for
//! forwarding: spans that a run left open may end up in another run.

mod item;
mod state;

use item::CollectedSpans;
use state::StateWindow;

use crate::json::patch::{CopyLimit, StepLimit};
use crate::protocol::{CompactedForm, Event, TextMessageStartEvent, ToolCallStartEvent, missing_code};
use crate::receive::reduce::ReduceWarning;

/// Shortens a list of events.
///
/// Texts and calls get one delta each, and each run's state one snapshot, if the run has any. State deltas that do not apply are
/// left out; [`compact_with`] reports them.
///
/// ```
/// use agui_runtime::protocol::{Event, TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent};
/// use agui_runtime::receive::compact::compact;
///
/// let start: Event = TextMessageStartEvent::new("m").into();
/// let end: Event = TextMessageEndEvent::new("m").into();
/// let content = |delta: &str| -> Event { TextMessageContentEvent::new("m", delta).into() };
/// let long = [start.clone(), content("Hel"), content("lo"), end.clone()];
/// assert_eq!(compact(long), [start, content("Hello"), end]);
/// ```
#[must_use]
pub fn compact(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    compact_with(events, &mut |_| {})
}

/// Like [`compact`], with a warning function: for each state delta that does not apply to the snapshot before it. Copies in deltas
/// are limited as in stream reading ([`MAX_COPIED`](crate::json::patch::MAX_COPIED)), and all deltas together take at most one
/// run's steps ([`MAX_STEPS`](crate::json::patch::MAX_STEPS)).
///
/// ```
/// use agui_runtime::protocol::{Event, JsonPatch, JsonPointer, PatchOperation, StateDeltaEvent, StateSnapshotEvent};
/// use agui_runtime::receive::compact::compact_with;
/// use serde_json::json;
///
/// let wrong = JsonPatch::from([PatchOperation::remove(JsonPointer::root().child("gone"))]);
/// let snapshot: Event = StateSnapshotEvent::new(json!({ "n": 1 })).into();
/// let mut warnings = Vec::new();
/// let short = compact_with([snapshot.clone(), StateDeltaEvent::new(wrong).into()], &mut |warning| warnings.push(warning));
/// assert_eq!((short, warnings.len()), (vec![snapshot], 1));
/// ```
#[must_use]
pub fn compact_with(
    events: impl IntoIterator<Item = Event>,
    warn: &mut dyn FnMut(ReduceWarning),
) -> Vec<Event> {
    let mut compaction = StreamCompaction::default();
    for event in events {
        compaction.take(event, warn);
    }
    compaction.end(warn)
}

#[derive(Default)]
struct StreamCompaction {
    texts: CollectedSpans<TextMessageStartEvent>,
    calls: CollectedSpans<ToolCallStartEvent>,
    window: StateWindow,
    /// The bytes that copies in the stream's deltas may still make.
    copies: CopyLimit,
    /// The steps that the stream's deltas may still take.
    steps: StepLimit,
    done: Vec<Event>,
}

impl StreamCompaction {
    fn take(&mut self, event: Event, warn: &mut dyn FnMut(ReduceWarning)) {
        match event.event_type().compacted() {
            CompactedForm::Merged => self.merge(event),
            CompactedForm::Boundary => {
                self.window.flush(&mut self.copies, &mut self.steps, &mut self.done, warn);
                self.done.push(event);
            }
            CompactedForm::State => self.window.take(event),
            CompactedForm::Kept => match self.texts.followers().or_else(|| self.calls.followers()) {
                Some(followers) => followers.push(event),
                None => self.done.push(event),
            },
        }
    }

    fn merge(&mut self, event: Event) {
        match event {
            Event::TextMessageStart(start) => {
                self.texts.entry(start.message_id.as_str()).start(start);
            }
            Event::TextMessageContent(content) => {
                self.texts.entry(content.message_id.as_str()).add(&content.delta, content.metadata.as_ref());
            }
            Event::TextMessageEnd(end) => {
                let item = self.texts.take(end.message_id.as_str());
                let id = end.message_id.clone();
                item.flush(id.as_str(), Some(end.into()), &mut self.done);
            }
            Event::ToolCallStart(start) => {
                self.calls.entry(start.tool_call_id.as_str()).start(start);
            }
            Event::ToolCallArgs(args) => {
                self.calls.entry(args.tool_call_id.as_str()).add(&args.delta, args.metadata.as_ref());
            }
            Event::ToolCallEnd(end) => {
                let item = self.calls.take(end.tool_call_id.as_str());
                let id = end.tool_call_id.clone();
                item.flush(id.as_str(), Some(end.into()), &mut self.done);
            }
            event => missing_code("compacted", event.event_type()),
        }
    }

    fn end(mut self, warn: &mut dyn FnMut(ReduceWarning)) -> Vec<Event> {
        for (id, item) in self.texts.into_all() {
            item.flush(&id, None, &mut self.done);
        }
        for (id, item) in self.calls.into_all() {
            item.flush(&id, None, &mut self.done);
        }
        self.window.flush(&mut self.copies, &mut self.steps, &mut self.done, warn);
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{EventType, sample_events};

    #[test]
    fn every_merged_event_has_code() {
        for event in sample_events() {
            let event_type = event.event_type();
            let types: Vec<_> = compact([event]).iter().map(Event::event_type).collect();
            match event_type.compacted() {
                CompactedForm::Kept | CompactedForm::Boundary => assert_eq!(types, [event_type]),
                CompactedForm::Merged => assert!(types.contains(&event_type)),
                CompactedForm::State => {
                    let is_state = |kind: &EventType| kind.compacted() == CompactedForm::State;
                    assert!(types.iter().all(is_state));
                }
            }
        }
    }
}
