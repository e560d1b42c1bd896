//! Waiting for room, and the tasks that the hub wakes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

use agui_runtime::protocol::{CustomEvent, Event, JsonObject, StateSnapshotEvent};

use super::super::hub::{KernelHub, WriteTurn};
use super::super::machine::RunKernel;
use super::super::reader::EventBatch;
use super::super::span::ROOT;
use super::{call, hub, subagent, terminal, text};
use crate::protocol::ToolSide;

pub(super) fn waiting_writes_nothing() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&mut context()).is_pending());
    drop(turn);
    assert_eq!(types(&hub), ["CUSTOM"]);
}

pub(super) fn content_waits() {
    let hub = hub(2);
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&mut context()).is_ready());
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    assert!(turn.poll(&mut context()).is_ready());
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    assert!(turn.poll(&mut context()).is_pending());
    let mut batch = EventBatch::default();
    assert!(next(&mut batch, &hub).is_some());
    assert!(turn.poll(&mut context()).is_pending(), "what the reader holds takes up room");
    assert!(next(&mut batch, &hub).is_some());
    assert!(turn.poll(&mut context()).is_ready());
}

pub(super) fn ends_do_not_wait() {
    let hub = hub(1);
    let slot = hub.act(|k| text(k, ROOT));
    hub.act(|k| k.close(slot, None));
    hub.end(terminal(0), None);
    assert_eq!(types(&hub), ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED"]);
}

/// The events that do not wait may exceed the room by two for each open span, and a few more at the end.
pub(super) fn overshoot() {
    const SPANS: usize = 40;
    const AT_THE_END: usize = 4;
    let open: [(&str, fn(&mut RunKernel)); 9] = [
        ("text", |k| {
            text(k, ROOT);
        }),
        ("step", |k| {
            k.open_step(ROOT, "plan".to_owned(), None);
        }),
        ("reasoning", |k| {
            let span = k.open_reasoning(ROOT, None, None);
            k.open_reasoning_message(span, None, None);
        }),
        ("arguments", |k| {
            call(k, ROOT, ToolSide::Backend);
        }),
        ("unanswered", |k| {
            let (slot, _) = call(k, ROOT, ToolSide::Backend);
            k.end_arguments(slot, None);
        }),
        ("asked", |k| {
            let (slot, _) = call(k, ROOT, ToolSide::Backend);
            k.end_arguments(slot, None);
            k.leave_to_interrupt(slot);
        }),
        ("frontend", |k| {
            call(k, ROOT, ToolSide::Frontend);
        }),
        ("activity", |k| {
            k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
        }),
        ("subagent", |k| {
            let helper = subagent(k, ROOT);
            text(k, helper);
        }),
    ];
    for how in 0..5 {
        for leaked in [false, true] {
            for (kind, open) in open {
                crate::switch::refill();
                let hub = hub(2);
                let mut spans = SPANS;
                hub.act(|k| {
                    for _ in 0..SPANS {
                        open(k);
                    }
                    spans = spans.max(k.spans.len());
                });
                types(&hub);
                hub.act(|k| (0..2).for_each(|_| k.send(ROOT, CustomEvent::new("fills the room", 1), None)));
                if !leaked {
                    hub.act(|k| {
                        k.spans
                            .keys()
                            .copied()
                            .collect::<Vec<_>>()
                            .iter()
                            .rev()
                            .for_each(|&slot| k.close(slot, None))
                    });
                }
                hub.end(terminal(how), Some(StateSnapshotEvent::new(serde_json::Value::from(1)).into()));
                let beyond = types(&hub).len() - 2;
                assert!(
                    beyond <= 2 * spans + AT_THE_END,
                    "{kind}: {beyond} events beyond the room for {spans} spans"
                );
            }
        }
    }
}

pub(super) fn wakers_outside() {
    /// Every operation on it reads the hub.
    struct Curious(Weak<KernelHub>);
    impl Wake for Curious {
        fn wake(self: Arc<Self>) {}
    }
    impl Drop for Curious {
        fn drop(&mut self) {
            if let Some(hub) = self.0.upgrade() {
                hub.act(|k| k.has_ended());
            }
        }
    }
    let hub = Arc::new(hub(1));
    let waker = || Waker::from(Arc::new(Curious(Arc::downgrade(&hub))));
    let full = |hub: &KernelHub| hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));

    // The reader's waker: replaced, called, and dropped with the event it waited for.
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    full(&hub);
    assert!(read(&hub).is_some());
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    assert!(read(&hub).is_none());
    // A writer's: replaced, given up, called.
    full(&hub);
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    drop(turn);
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    assert!(read(&hub).is_some());
    assert!(turn.poll(&Context::from_waker(&waker())).is_ready());
    // A writer that waits while two events are read.
    let slot = hub.act(|k| text(k, ROOT));
    hub.act(|k| k.close(slot, None));
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    let mut batch = EventBatch::default();
    while next(&mut batch, &hub).is_some() {}
    assert!(turn.poll(&Context::from_waker(&waker())).is_ready());
    // A waiting restatement: released when a span closes, and when the run ends.
    let slot = hub.act(|k| subagent(k, ROOT));
    let open = hub.act(|k| text(k, ROOT));
    let mut what = Some((vec![], None));
    assert!(hub.poll_restate(slot, &mut what, &mut Context::from_waker(&waker())).is_pending());
    hub.act(|k| k.close(open, None));
    assert!(hub.poll_restate(slot, &mut what, &mut Context::from_waker(&waker())).is_ready());
    let mut turn = WriteTurn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    hub.end(terminal(0), None);
}

pub(super) fn passes_on() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let (mut first, mut second) = (WriteTurn::new(&hub), WriteTurn::new(&hub));
    let (one, two) = (Count::new(), Count::new());
    assert!(first.poll(&one.context()).is_pending());
    assert!(second.poll(&two.context()).is_pending());
    assert!(read(&hub).is_some());
    assert_eq!((one.count(), two.count()), (1, 0), "one event makes room for one");
    drop(first);
    assert_eq!(two.count(), 1, "who goes away passes the call on");
    assert!(second.poll(&two.context()).is_ready());
}

pub(super) fn batch_given_back() {
    let hub = hub(2);
    for _ in 0..2 {
        hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    }
    let mut turns = [(); 3].map(|()| (WriteTurn::new(&hub), Count::new()));
    for (turn, count) in &mut turns {
        assert!(turn.poll(&count.context()).is_pending());
    }
    let mut batch = EventBatch::default();
    assert!(next(&mut batch, &hub).is_some());
    assert_eq!(turns.each_ref().map(|(_, count)| count.count()), [0, 0, 0], "the batch is not read");
    assert!(next(&mut batch, &hub).is_some());
    assert_eq!(turns.each_ref().map(|(_, count)| count.count()), [1, 1, 0], "as many as there is room for");
}

pub(super) fn futurelock() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut forgotten = WriteTurn::new(&hub);
    let (one, two, reader) = (Count::new(), Count::new(), Count::new());
    assert!(forgotten.poll(&one.context()).is_pending());
    let mut other = WriteTurn::new(&hub);
    assert!(other.poll(&two.context()).is_pending());
    assert!(read(&hub).is_some());
    assert!(WriteTurn::new(&hub).poll(&two.context()).is_ready(), "a call holds no place");
    assert!(!hub.wait_for_event(&reader.context()));
    assert_eq!(two.count(), 1, "a reader about to sleep calls all writers");
    assert!(other.poll(&two.context()).is_ready());
    std::mem::forget(forgotten);
}

pub(super) fn reader_woken() {
    let hub = hub(2);
    let reader = Count::new();
    assert!(!hub.wait_for_event(&reader.context()));
    let slot = hub.act(|k| text(k, ROOT));
    assert_eq!(reader.count(), 1);
    assert!(hub.wait_for_event(&reader.context()), "there is an event");
    assert!(read(&hub).is_some());
    assert!(!hub.wait_for_event(&reader.context()));
    hub.act(|k| k.close(slot, None));
    assert_eq!(reader.count(), 2);
}

pub(super) fn end_wakes() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut turns: Vec<WriteTurn<'_>> = (0..3).map(|_| WriteTurn::new(&hub)).collect();
    let count = Count::new();
    assert!(turns.iter_mut().all(|turn| turn.poll(&count.context()).is_pending()));
    hub.end(terminal(0), None);
    assert_eq!(count.count(), 3);
    assert!(turns.iter_mut().all(|turn| turn.poll(&count.context()).is_pending()), "they give way once");
    assert!(
        turns.iter_mut().all(|turn| turn.poll(&count.context()).is_ready()),
        "then they write into the void"
    );
}

pub(super) fn restater_woken() {
    let hub = hub(8);
    let helper = hub.act(|k| subagent(k, ROOT));
    let (one, two) = (hub.act(|k| text(k, ROOT)), hub.act(|k| text(k, ROOT)));
    let count = Count::new();
    let mut what = Some((vec![], None));
    assert!(hub.poll_restate(helper, &mut what, &mut count.context()).is_pending());
    hub.act(|k| k.push_text(one, "x".to_owned(), None));
    assert_eq!(count.count(), 0, "nothing was closed");
    hub.act(|k| k.close(one, None));
    assert_eq!(count.count(), 1);
    assert!(hub.poll_restate(helper, &mut what, &mut count.context()).is_pending());
    hub.act(|k| k.close(two, None));
    assert_eq!(count.count(), 2);
    assert_eq!(hub.poll_restate(helper, &mut what, &mut count.context()), Poll::Ready(()));
    assert!(types(&hub).contains(&"MESSAGES_SNAPSHOT"));
}

pub(super) struct Count {
    calls: Arc<DueWakes>,
    waker: Waker,
}

struct DueWakes(AtomicUsize, Mutex<()>);

impl Wake for DueWakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Count {
    pub(super) fn new() -> Self {
        let calls = Arc::new(DueWakes(AtomicUsize::new(0), Mutex::new(())));
        Self { waker: Waker::from(Arc::clone(&calls)), calls }
    }

    pub(super) fn context(&self) -> Context<'_> {
        Context::from_waker(&self.waker)
    }

    pub(super) fn count(&self) -> usize {
        self.calls.0.load(Ordering::SeqCst)
    }
}

pub(super) fn context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

pub(super) fn next(batch: &mut EventBatch, hub: &KernelHub) -> Option<Event> {
    if batch.fill(hub) { batch.take() } else { None }
}

/// The only event.
pub(super) fn read(hub: &KernelHub) -> Option<Event> {
    next(&mut EventBatch::default(), hub)
}

pub(super) fn types(hub: &KernelHub) -> Vec<&'static str> {
    let mut batch = EventBatch::default();
    std::iter::from_fn(|| next(&mut batch, hub)).map(|event| event.event_type().as_str()).collect()
}
