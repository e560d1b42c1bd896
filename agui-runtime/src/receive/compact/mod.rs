//! Compaction: a recorded stream becomes a shorter one that folds to the same, mostly (AG-UI 1.0, section "Compaction").
//!
//! | file | what it holds together |
//! |---|---|
//! | `item` | a text message or a call: its start, one delta, its end, and what came in between behind them |
//! | `state` | the state events between two ends of runs: one snapshot, where there is one to start from |
//!
//! What it costs is known, and the same as with the official client: items stand where they ended, what interrupted them stands behind
//! them, and merged deltas and folded snapshots have no subagent, timestamp or provider's event any more. For keeping
//! history, not for forwarding: items that runs left open may end up in another run.

mod item;
mod state;

use item::Items;
use state::Window;

use crate::protocol::{Event, TextMessageStartEvent, ToolCallStartEvent};
use crate::receive::patch::{Copies, Steps};
use crate::receive::reduce::ReduceWarning;

/// Makes a list of events shorter.
///
/// Texts and calls get one delta each, and the state of each run one snapshot, if it has any. State deltas that do not apply are
/// left out; [`compact_with`] tells of them.
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

/// [`compact`], with a function for each state delta that does not apply to the snapshot before it. What copies in deltas make is
/// limited as it is when the stream is read ([`MAX_COPIED`](super::patch::MAX_COPIED)), and all deltas take no more steps than those of one run
/// ([`MAX_STEPS`](super::patch::MAX_STEPS)).
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
    let mut compaction = Compaction::default();
    for event in events {
        compaction.take(event, warn);
    }
    compaction.end(warn)
}

#[derive(Default)]
struct Compaction {
    texts: Items<TextMessageStartEvent>,
    calls: Items<ToolCallStartEvent>,
    window: Window,
    /// What is left for copies in deltas to make, of the whole stream.
    copies: Copies,
    /// The steps that deltas of the whole stream may still take.
    steps: Steps,
    done: Vec<Event>,
}

impl Compaction {
    fn take(&mut self, event: Event, warn: &mut dyn FnMut(ReduceWarning)) {
        match event {
            Event::TextMessageStart(start) => {
                self.texts.of(start.message_id.as_str()).start(start);
            }
            Event::TextMessageContent(content) => {
                self.texts.of(content.message_id.as_str()).add(&content.delta, content.metadata.as_ref());
            }
            Event::TextMessageEnd(end) => {
                let item = self.texts.take(end.message_id.as_str());
                let id = end.message_id.clone();
                item.flush(id.as_str(), Some(end.into()), &mut self.done);
            }
            Event::ToolCallStart(start) => {
                self.calls.of(start.tool_call_id.as_str()).start(start);
            }
            Event::ToolCallArgs(args) => {
                self.calls.of(args.tool_call_id.as_str()).add(&args.delta, args.metadata.as_ref());
            }
            Event::ToolCallEnd(end) => {
                let item = self.calls.take(end.tool_call_id.as_str());
                let id = end.tool_call_id.clone();
                item.flush(id.as_str(), Some(end.into()), &mut self.done);
            }
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => {
                self.window.flush(&mut self.copies, &mut self.steps, &mut self.done, warn);
                self.done.push(event);
            }
            Event::StateSnapshot(_) | Event::StateDelta(_) => self.window.take(event),
            event => match self.texts.followers().or_else(|| self.calls.followers()) {
                Some(followers) => followers.push(event),
                None => self.done.push(event),
            },
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
