//! The judge of a schedule.

use std::collections::{BTreeMap, HashSet};

use agui_runtime::order::Verifier;
use agui_runtime::protocol::Event;
use agui_runtime::thread::{Cursor, Memory, Page, ThreadKey, ThreadLog};
use bytes::Bytes;
use serde_json::Value;

use super::world::Seen;
use crate::house::{Bells, frames};

/// Checks that the log is a legal conversation in which every run ends, that each client saw a part of it without a gap,
/// and that no question was answered twice.
pub(crate) async fn judge(log: &Memory, seen: &[Seen], bells: &Bells) {
    let key = ThreadKey::new("", "/", "t");
    let page = log.read(&key, 0, usize::MAX).await.unwrap();
    let mut events = BTreeMap::new();
    let mut verifier = Verifier::new();
    for (seq, record) in &page.records {
        let record: Value = serde_json::from_slice(record).unwrap();
        if record.get("control").is_none() {
            let event: Event = serde_json::from_value(record.clone()).unwrap();
            verifier
                .check(&event)
                .unwrap_or_else(|error| panic!("record {seq}: {error}\n{}", written(&page)));
            events.insert(*seq, record);
        }
    }
    if !events.is_empty() {
        verifier.end().unwrap();
    }
    for seen in seen {
        is_part(&events, seen);
    }
    let answered = bells.answered.lock().unwrap();
    let once: HashSet<_> = answered.iter().collect();
    assert_eq!(once.len(), answered.len(), "a question was answered twice: {answered:?}");
}

/// Checks that a client saw consecutive events of the log.
fn is_part(events: &BTreeMap<u64, Value>, seen: &Seen) {
    let text = seen.text.lock().unwrap();
    // A cut in the middle of a frame leaves a part of it.
    let complete = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let mut frames = frames(complete).into_iter();
    let mut last = None;
    if seen.has_prelude {
        let end = frames.find_map(|(id, _)| id);
        last = end.map(|id| id.parse::<Cursor>().unwrap().seq());
    }
    for (id, event) in frames {
        let seq =
            id.unwrap_or_else(|| panic!("{event} has no id in\n{text}")).parse::<Cursor>().unwrap().seq();
        assert_eq!(events.get(&seq), Some(&event), "event {seq} is not that of the log");
        if let Some(last) = last {
            let next = events.range(last + 1..).next().map(|(seq, _)| *seq);
            assert_eq!(next, Some(seq), "there is a gap after {last}");
        }
        last = Some(seq);
    }
}

/// Returns the log, line by line.
fn written(page: &Page) -> String {
    let line = |(seq, record): &(u64, Bytes)| format!("{seq} {}\n", String::from_utf8_lossy(record));
    page.records.iter().map(line).collect()
}
