//! Readers, writers and tasks that wait for quiet, each on a thread of its own. A waiting thread that is never woken is
//! a deadlock, which loom finds, because it tries all orders of taking the lock and being woken.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use agui_runtime::protocol::{CustomEvent, Event, RunAgentInput, SubagentStartedEvent};
use loom::sync::Notify;
use loom::thread;

use super::hub::{KernelHub, WriteTurn};
use super::machine::{TerminalOutcome, TextStart};
use super::reader::EventBatch;
use super::span::{ROOT, SpanSlot};
use super::{Clock, Ids, Peer};

/// The scenarios, by name.
pub const SCENARIOS: &[(&str, fn())] = &[
    ("two writers, room for one event, a reader that sleeps in between", writers_and_a_reader),
    ("an agent that writes where it is read, and a task on a thread", agent_and_task),
    ("a writer that gives up while another waits, and a reader that reads once", giving_up),
    ("a reader that takes two events at once, and a writer that waits for it", a_batch),
    ("a writer that is never polled again, before another", forgotten),
    ("a reader that waits for an end, which waits for no room", ends_wake_the_reader),
    ("the end of a run, with writers and whoever restates still waiting", end_of_the_run),
    ("restating waits until the last of two messages is closed", restating),
    ("a writer that tries again and again, and one that waits", trying_again),
];

fn hub(room: usize) -> Arc<KernelHub> {
    let input = RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0");
    Arc::new(KernelHub::new(Arc::new(input), room, Ids::fixed("w"), Clock::silent(), Peer::CURRENT))
}

/// Wakes a thread that waits.
struct Bell(Notify);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

/// Waits as an executor does: polls once, and again after each wake.
fn wait<T>(mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>) -> T {
    let bell = Arc::new(Bell(Notify::new()));
    let waker = Waker::from(Arc::clone(&bell));
    loop {
        match poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => bell.0.wait(),
        }
    }
}

fn say(hub: &KernelHub) {
    hub.act(|kernel| kernel.send(ROOT, CustomEvent::new("said", 1), None));
}

fn write(hub: &KernelHub) {
    let mut turn = WriteTurn::new(hub);
    wait(|cx| turn.poll(cx));
    say(hub);
}

/// Reads as the stream does: takes the available events, and sleeps only after it registered its waker.
fn read(hub: &KernelHub, events: usize) {
    let mut batch = EventBatch::default();
    for _ in 0..events {
        wait(|cx| {
            loop {
                match next(&mut batch, hub) {
                    Some(_) => return Poll::Ready(()),
                    None if hub.wait_for_event(cx) => {}
                    None => return Poll::Pending,
                }
            }
        });
    }
}

fn next(batch: &mut EventBatch, hub: &KernelHub) -> Option<Event> {
    if batch.fill(hub) { batch.take() } else { None }
}

fn on_a_thread(hub: &Arc<KernelHub>, act: impl FnOnce(&KernelHub) + 'static) -> thread::JoinHandle<()> {
    let hub = Arc::clone(hub);
    thread::spawn(move || act(&hub))
}

fn writers_and_a_reader() {
    let hub = hub(1);
    let writers = [(); 2].map(|()| on_a_thread(&hub, write));
    read(&hub, 2);
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

fn agent_and_task() {
    let hub = hub(1);
    let task = on_a_thread(&hub, write);
    let (mut turn, mut left, mut batch) = (WriteTurn::new(&hub), 2, EventBatch::default());
    for _ in 0..3 {
        wait(|cx| {
            loop {
                if next(&mut batch, &hub).is_some() {
                    return Poll::Ready(());
                }
                while left > 0 && turn.poll(cx).is_ready() {
                    say(&hub);
                    turn = WriteTurn::new(&hub);
                    left -= 1;
                }
                if !hub.wait_for_event(cx) {
                    return Poll::Pending;
                }
            }
        });
    }
    task.join().unwrap();
}

fn giving_up() {
    let hub = hub(1);
    say(&hub);
    let mut leaving = WriteTurn::new(&hub);
    let is_waiting = leaving.poll(&mut Context::from_waker(Waker::noop())).is_pending();
    assert!(is_waiting);
    let other = on_a_thread(&hub, write);
    let reader = on_a_thread(&hub, |hub| assert!(next(&mut EventBatch::default(), hub).is_some()));
    drop(leaving);
    other.join().unwrap();
    reader.join().unwrap();
    assert!(next(&mut EventBatch::default(), &hub).is_some());
}

fn a_batch() {
    let hub = hub(2);
    say(&hub);
    say(&hub);
    let writer = on_a_thread(&hub, write);
    read(&hub, 2);
    writer.join().unwrap();
    read(&hub, 1);
}

fn forgotten() {
    let hub = hub(1);
    say(&hub);
    let mut forgotten = WriteTurn::new(&hub);
    let is_waiting = forgotten.poll(&mut Context::from_waker(Waker::noop())).is_pending();
    assert!(is_waiting);
    let other = on_a_thread(&hub, write);
    read(&hub, 2);
    other.join().unwrap();
}

fn ends_wake_the_reader() {
    let hub = hub(1);
    let closing = on_a_thread(&hub, |hub| {
        let slot = hub.act(|kernel| kernel.open_text(ROOT, TextStart::default(), None));
        hub.act(|kernel| kernel.close(slot, None));
    });
    read(&hub, 2);
    closing.join().unwrap();
}

fn end_of_the_run() {
    let hub = hub(1);
    let helper = helper(&hub);
    let _text = hub.act(|kernel| kernel.open_text(ROOT, TextStart::default(), None));
    let writer = on_a_thread(&hub, write);
    let restating = on_a_thread(&hub, move |hub| restate(hub, helper));
    hub.end(TerminalOutcome::Cancelled, None);
    writer.join().unwrap();
    restating.join().unwrap();
}

fn restating() {
    let hub = hub(8);
    let helper = helper(&hub);
    let [one, two] = [(); 2].map(|()| hub.act(|kernel| kernel.open_text(ROOT, TextStart::default(), None)));
    let restating = on_a_thread(&hub, move |hub| restate(hub, helper));
    let closing = on_a_thread(&hub, move |hub| hub.act(|kernel| kernel.close(one, None)));
    hub.act(|kernel| kernel.close(two, None));
    closing.join().unwrap();
    restating.join().unwrap();
}

fn trying_again() {
    let hub = hub(1);
    say(&hub);
    let waiting = on_a_thread(&hub, write);
    let trying = on_a_thread(&hub, |hub| {
        for _ in 0..2 {
            let mut turn = WriteTurn::new(hub);
            if turn.poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                return say(hub);
            }
        }
        write(hub);
    });
    read(&hub, 3);
    waiting.join().unwrap();
    trying.join().unwrap();
}

fn helper(hub: &KernelHub) -> SpanSlot {
    hub.act(|kernel| kernel.open_subagent(ROOT, SubagentStartedEvent::new("", "helper"), None, None).0)
}

fn restate(hub: &KernelHub, by: SpanSlot) {
    let mut what = Some((vec![], None));
    wait(|cx| hub.poll_restate(by, &mut what, cx));
}
