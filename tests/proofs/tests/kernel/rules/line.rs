//! The line of writers, and wakers that are called without need.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use agui_runtime::protocol::{
    Content, CustomEvent, MessagesSnapshotEvent, ReasoningMessage, RunAgentInput, StateSnapshotEvent,
    ToolCallResultEvent,
};
use serde_json::json;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::super::hub::{KernelHub, WriteTurn};
use super::super::reader::EventBatch;
use super::super::span::ROOT;
use super::super::{Clock, Ids, Peer};
use super::waiting::{Count, context, next, read, types};
use super::{hub, subagent, terminal, text};

fn write(hub: &KernelHub) {
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
}

/// A waiting writer holds one place in the line, with the waker of its last poll.
pub(super) fn places() {
    let hub = hub(1);
    write(&hub);
    let (mut first, mut second, mut third) =
        (WriteTurn::new(&hub), WriteTurn::new(&hub), WriteTurn::new(&hub));
    let [old, one, two, three] = [(); 4].map(|()| Count::new());
    assert!(first.poll(&old.context()).is_pending());
    assert!(first.poll(&one.context()).is_pending());
    assert!(second.poll(&two.context()).is_pending());
    assert!(third.poll(&three.context()).is_pending());
    assert!(read(&hub).is_some());
    assert_eq!((old.count(), one.count(), two.count()), (0, 1, 0));
    // The second writer is polled without a call, writes, and does not wait any more.
    assert!(second.poll(&two.context()).is_ready());
    write(&hub);
    assert!(read(&hub).is_some());
    assert_eq!((two.count(), three.count()), (0, 1));
}

/// A dropped writer leaves the line, and passes a call on only where there is room.
pub(super) fn going_away() {
    let hub = hub(1);
    write(&hub);
    let mut turns = [(); 4].map(|()| (WriteTurn::new(&hub), Count::new()));
    for (turn, count) in &mut turns {
        assert!(turn.poll(&count.context()).is_pending());
    }
    let [(first, _), (second, one), (third, two), (_fourth, three)] = turns;
    drop(first);
    assert_eq!(one.count(), 0, "there is no room");
    assert!(read(&hub).is_some());
    assert_eq!((one.count(), two.count()), (1, 0));
    write(&hub);
    drop(second);
    assert_eq!(two.count(), 0, "there is no room any more");
    assert!(read(&hub).is_some());
    assert_eq!((two.count(), three.count()), (1, 0));
    drop(third);
    assert_eq!(three.count(), 1);
}

/// The number of called writers is the room for events; events that are written meanwhile take up room.
pub(super) fn as_many_writers_as_room() {
    let hub = hub(2);
    let slot = hub.act(|k| text(k, ROOT));
    write(&hub);
    let mut turns = [(); 3].map(|()| (WriteTurn::new(&hub), Count::new()));
    for (turn, count) in &mut turns {
        assert!(turn.poll(&count.context()).is_pending());
    }
    let mut batch = EventBatch::default();
    assert!(next(&mut batch, &hub).is_some());
    hub.act(|k| k.close(slot, None));
    assert!(next(&mut batch, &hub).is_some());
    assert_eq!(turns.each_ref().map(|(_, count)| count.count()), [1, 0, 0], "an END waits");

    // A writer that was called is dropped: the next is called, and no other.
    let [(first, _), (_second, two), (_third, three)] = turns;
    drop(first);
    assert_eq!((two.count(), three.count()), (1, 0));
    assert!(WriteTurn::new(&super::hub(0)).poll(&context()).is_ready(), "there is always room for one");
}

/// The reader is called for events alone, and only while it waits.
pub(super) fn reader_called_in_need() {
    let hub = hub(4);
    let reader = Count::new();
    assert!(!hub.wait_for_event(&reader.context()));
    hub.act(|k| k.has_ended());
    assert_eq!(reader.count(), 0, "nothing was said");
    // A scope ends without an event; a waiting restatement is woken for it.
    let helper = hub.act(|k| subagent(k, ROOT));
    let open = hub.act(|k| text(k, ROOT));
    while read(&hub).is_some() {}
    let waiting = Count::new();
    let mut what = Some((vec![], None));
    assert!(hub.poll_restate(helper, &mut what, &waiting.context()).is_pending());
    let scope = hub.act(|k| k.open_scope(ROOT, None));
    assert!(!hub.wait_for_event(&reader.context()));
    let before = (reader.count(), waiting.count());
    hub.act(|k| k.close(scope, None));
    assert_eq!((reader.count(), waiting.count()), (before.0, before.1 + 1));
    hub.act(|k| k.close(open, None));

    // A reader that polls is awake.
    let hub = super::hub(4);
    let reader = Count::new();
    assert!(!hub.wait_for_event(&reader.context()));
    assert!(!EventBatch::default().fill(&hub), "there is nothing");
    write(&hub);
    assert_eq!(reader.count(), 0, "it has come by itself");
    assert!(hub.wait_for_event(&reader.context()));
    write(&hub);
    assert_eq!(reader.count(), 0, "it need not wait");
    let mut batch = EventBatch::default();
    assert!(batch.front().is_none() && batch.fill(&hub));
    assert_eq!(batch.front().cloned(), batch.take());

    // A conversation that is restated is an event.
    let hub = super::hub(1);
    assert!(!hub.wait_for_event(&reader.context()));
    assert_eq!(hub.poll_restate(ROOT, &mut Some((vec![], None)), &context()), Poll::Ready(()));
    assert_eq!(reader.count(), 1);
    assert!(WriteTurn::new(&hub).poll(&context()).is_pending(), "and takes up room");
}

/// WriterQueue are called when there is room, not at every poll of the reader.
pub(super) fn writers_called_in_need() {
    let hub = hub(1);
    write(&hub);
    let (mut first, mut second) = (WriteTurn::new(&hub), WriteTurn::new(&hub));
    let (one, two, reader) = (Count::new(), Count::new(), Count::new());
    assert!(first.poll(&one.context()).is_pending());
    assert!(second.poll(&two.context()).is_pending());
    assert!(hub.wait_for_event(&reader.context()), "there is an event");
    assert_eq!((one.count(), two.count()), (0, 0));
    assert!(read(&hub).is_some());
    assert!(read(&hub).is_none());
    assert_eq!((one.count(), two.count()), (1, 0), "one event makes room for one");
}

/// A waiting restatement is woken once for each wait, when a span was closed.
pub(super) fn restaters_called_in_need() {
    let hub = hub(8);
    let helper = hub.act(|k| subagent(k, ROOT));
    let [one, two, three] = [(); 3].map(|()| hub.act(|k| text(k, ROOT)));
    let (here, there, reader) = (Count::new(), Count::new(), Count::new());
    let (mut what, mut other) = (Some((vec![], None)), Some((vec![], None)));
    for _ in 0..2 {
        assert!(hub.poll_restate(helper, &mut what, &here.context()).is_pending());
    }
    assert!(hub.poll_restate(helper, &mut other, &there.context()).is_pending());
    while read(&hub).is_some() {}
    assert!(!hub.wait_for_event(&reader.context()));
    hub.act(|k| k.push_text(one, "x".to_owned(), None));
    assert_eq!((reader.count(), here.count(), there.count()), (1, 0, 0), "nothing was closed");
    hub.act(|k| k.close(one, None));
    assert_eq!((here.count(), there.count()), (1, 1));
    hub.act(|k| k.close(two, None));
    assert_eq!((here.count(), there.count()), (1, 1), "neither waits");
    hub.act(|k| k.close(three, None));
    assert_eq!(hub.poll_restate(helper, &mut what, &here.context()), Poll::Ready(()));
    let slot = hub.act(|k| text(k, ROOT));
    hub.act(|k| k.close(slot, None));
    assert_eq!(here.count(), 1, "it does not wait any more");
}

/// The writes of an author that has ended are discarded, after one yield.
pub(super) fn unheard() {
    let hub = hub(4);
    let helper = hub.act(|k| subagent(k, ROOT));
    hub.act(|k| k.close(helper, None));
    let count = Count::new();
    let mut turn = WriteTurn::for_author(&hub, helper);
    assert!(turn.poll(&count.context()).is_pending());
    assert_eq!(count.count(), 1, "it is polled again");
    assert!(turn.poll(&count.context()).is_ready());
    assert!(WriteTurn::for_author(&super::hub(4), ROOT).poll(&count.context()).is_ready());
}

/// The state is sent before the terminal event.
pub(super) fn state_at_the_end() {
    let hub = hub(1);
    hub.end(terminal(0), Some(StateSnapshotEvent::new(json!(1)).into()));
    assert_eq!(types(&hub), ["STATE_SNAPSHOT", "RUN_FINISHED"]);
}

/// Parts that a client cannot read are logged, once.
pub(super) fn logged() {
    let parts = json!([{"type": "image", "source": {"type": "url", "value": "u"}}]);
    let content: Content = serde_json::from_value(parts).expect("these are parts");
    let input = Arc::new(RunAgentInput::new("t", "r", vec![]));
    let hub = KernelHub::new(input, 4, Ids::fixed("k"), Clock::silent(), Peer::Legacy);
    let lines = Arc::new(AtomicUsize::new(0));
    tracing::subscriber::with_default(Lines(Arc::clone(&lines)), || {
        let reader = Count::new();
        assert!(!hub.wait_for_event(&reader.context()));
        write(&hub);
        assert_eq!((reader.count(), lines.load(Ordering::SeqCst)), (1, 0));
        hub.act(|k| k.send(ROOT, ToolCallResultEvent::new("m", "c", content), None));
        assert_eq!(lines.load(Ordering::SeqCst), 1);
        write(&hub);
        assert_eq!(lines.load(Ordering::SeqCst), 1);
        // So are members that it does not have.
        let typed =
            ReasoningMessage::new("r", "Hm.").with_encrypted_value("x").with_encrypted_value_type("t");
        hub.act(|k| k.send(ROOT, MessagesSnapshotEvent::new(vec![typed.into()]), None));
        assert_eq!(lines.load(Ordering::SeqCst), 2);
        write(&hub);
        assert_eq!(lines.load(Ordering::SeqCst), 2);
    });
}

/// Counts what is logged.
struct Lines(Arc<AtomicUsize>);

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lines")
    }
}
