//! The kernel behind a lock, with the wakers for one event reader and any number of writers that wait for queue room.
//!
//! Wakers are never cloned, called or dropped under the lock, because all three may run foreign code.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker, ready};

use super::machine::{RunKernel, TerminalOutcome};
use super::peer::LostContent;
use super::span::{ROOT, SpanSlot};
use super::sync::{AtomicUsize, Mutex, MutexGuard, PoisonError};
use super::writers::{WriterQueue, WriterTicket};
use super::{Clock, Ids, Peer, WriteFields};
use crate::protocol::{Event, Message, RunAgentInput};

pub(crate) struct KernelHub {
    inner: Mutex<HubState>,
    /// Unread events when the lock was last held, so that a writer with room to spare takes no lock. The bound is soft: concurrent
    /// writers on several threads may each exceed the bound by one event.
    queued: AtomicUsize,
    room: usize,
    /// The run's input; delegated agents read this input again.
    input: Arc<RunAgentInput>,
}

struct HubState {
    kernel: RunKernel,
    room: usize,
    /// Events in the reader's batch; all occupy room until the last is read.
    in_batch: usize,
    /// The stream's waker, set only while the stream waits.
    reader: Option<Waker>,
    writers: WriterQueue,
    /// Wakers for tasks that wait to restate the conversation until nothing in the conversation is open.
    restaters: Vec<Waker>,
}

/// Outcome of a write: sent, or discarded because the author has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WriteOutcome {
    Sent,
    Discarded,
}

/// Wakers to call and losses to log after the lock is released.
#[must_use]
struct DueWakes {
    reader: Option<Waker>,
    restaters: Vec<Waker>,
    lost: LostContent,
}

impl DueWakes {
    fn wake(self) {
        if self.lost.parts > 0 {
            tracing::warn!(parts = self.lost.parts, "a legacy client cannot read all parts of a content");
        }
        if self.lost.members > 0 {
            let members = self.lost.members;
            tracing::warn!(
                members,
                "the client's version of the protocol lacks members or an event of the run"
            );
        }
        if let Some(reader) = self.reader {
            reader.wake();
        }
        self.restaters.into_iter().for_each(Waker::wake);
    }
}

impl HubState {
    /// Returns the number of unread events.
    fn unread(&self) -> usize {
        self.kernel.queue.len() + self.in_batch
    }

    fn may_write(&self) -> bool {
        self.kernel.has_ended() || self.unread() < self.room
    }

    fn turns(&self, by: SpanSlot) -> Option<WriteOutcome> {
        self.may_write()
            .then(|| if self.kernel.accepts(by) { WriteOutcome::Sent } else { WriteOutcome::Discarded })
    }

    /// Returns the wakers that are due. Almost always `None`: a run's reader is awake while the agent writes.
    #[inline]
    fn due(&mut self) -> Option<DueWakes> {
        let calls_reader = self.reader.is_some() && !self.kernel.queue.is_empty();
        let has_closed = self.kernel.has_closed() && !self.restaters.is_empty();
        if !calls_reader && !has_closed && !self.kernel.has_lost() {
            return None;
        }
        Some(DueWakes {
            reader: if calls_reader { self.reader.take() } else { None },
            restaters: if has_closed { std::mem::take(&mut self.restaters) } else { Vec::new() },
            lost: self.kernel.take_lost(),
        })
    }
}

impl KernelHub {
    pub(crate) fn new(input: Arc<RunAgentInput>, room: usize, ids: Ids, clock: Clock, peer: Peer) -> Self {
        let room = room.max(1);
        let inner = Mutex::new(HubState {
            kernel: RunKernel::new(&input, ids, clock, peer),
            room,
            in_batch: 0,
            reader: None,
            writers: WriterQueue::default(),
            restaters: Vec::new(),
        });
        Self { inner, queued: AtomicUsize::new(0), room, input }
    }

    pub(crate) fn input(&self) -> &RunAgentInput {
        &self.input
    }

    // ---- the reader's end

    /// Moves all events to a reader whose batch is empty. A batch with a single event frees room for the next event at once.
    pub(super) fn fill_batch(&self, batch: &mut VecDeque<Event>) {
        let mut inner = self.lock();
        std::mem::swap(&mut inner.kernel.queue, batch);
        inner.in_batch = if batch.len() > 1 { batch.len() } else { 0 };
        let writers = if batch.len() == 1 { self.make_room(&mut inner) } else { Vec::new() };
        // The reader is awake: a write must not wake it again, nor the agent that it polls.
        let reader = inner.reader.take();
        drop(inner);
        drop(reader);
        writers.into_iter().for_each(Waker::wake);
    }

    /// Frees the room that the reader's batch occupied.
    pub(super) fn give_back(&self) {
        let mut inner = self.lock();
        inner.in_batch = 0;
        let writers = self.make_room(&mut inner);
        drop(inner);
        writers.into_iter().for_each(Waker::wake);
    }

    /// Returns the wakers of the writers for which room is now free.
    fn make_room(&self, inner: &mut HubState) -> Vec<Waker> {
        let unread = inner.unread();
        self.queued.store(unread, Ordering::Relaxed);
        inner.writers.call(self.room.saturating_sub(unread))
    }

    /// Registers the reader's waker, or returns true if an event is already queued.
    pub(crate) fn wait_for_event(&self, cx: &Context<'_>) -> bool {
        let waker = cx.waker().clone();
        let (arrived, writers, _old) = {
            let mut inner = self.lock();
            let arrived = !inner.kernel.queue.is_empty();
            let writers = if arrived { Vec::new() } else { inner.writers.call(usize::MAX) };
            let waker = (!arrived).then_some(waker);
            (arrived, writers, std::mem::replace(&mut inner.reader, waker))
        };
        writers.into_iter().for_each(Waker::wake);
        arrived
    }

    // ---- the writers' end

    /// Runs `act` with the kernel under the lock. `act` must not run user code.
    pub(crate) fn act<R>(&self, act: impl FnOnce(&mut RunKernel) -> R) -> R {
        let (done, calls) = {
            let mut inner = self.lock();
            let done = act(&mut inner.kernel);
            self.queued.store(inner.unread(), Ordering::Relaxed);
            (done, inner.due())
        };
        if let Some(calls) = calls {
            calls.wake();
        }
        done
    }

    /// True if the run's own agent may write without taking the lock.
    #[inline]
    fn has_room(&self, by: SpanSlot) -> bool {
        by == ROOT && self.queued.load(Ordering::Relaxed) < self.room
    }

    fn poll_turn(
        &self,
        by: SpanSlot,
        ticket: &mut Option<WriterTicket>,
        cx: &Context<'_>,
    ) -> Poll<WriteOutcome> {
        let turns = self.lock().turns(by);
        if let Some(turns) = turns {
            return self.turn(ticket, turns);
        }
        let waker = cx.waker().clone();
        let _old = {
            let mut inner = self.lock();
            if let Some(turns) = inner.turns(by) {
                drop(inner);
                return self.turn(ticket, turns);
            }
            inner.writers.wait(ticket, waker)
        };
        Poll::Pending
    }

    fn turn(&self, ticket: &mut Option<WriterTicket>, turns: WriteOutcome) -> Poll<WriteOutcome> {
        if let Some(ticket) = ticket.take() {
            let _own = self.lock().writers.leave(ticket);
        }
        Poll::Ready(turns)
    }

    /// Removes a writer that was dropped while waiting. A writer that was already woken passes its wake-up to the next.
    fn leave(&self, ticket: WriterTicket) {
        let (next, _own) = {
            let mut inner = self.lock();
            match inner.writers.leave(ticket) {
                None if inner.may_write() => (inner.writers.call(1), None),
                own => (Vec::new(), own),
            }
        };
        next.into_iter().for_each(Waker::wake);
    }

    /// Restates the conversation, or waits until nothing in the conversation is open.
    pub(crate) fn poll_restate(
        &self,
        by: SpanSlot,
        what: &mut Option<(Vec<Message>, WriteFields)>,
        cx: &Context<'_>,
    ) -> Poll<()> {
        let Some((messages, fields)) = what.take() else { return Poll::Ready(()) };
        let waker = cx.waker().clone();
        let (refused, calls, _unused) = {
            let mut inner = self.lock();
            let refused = inner.kernel.restate(by, messages, fields).err();
            self.queued.store(inner.unread(), Ordering::Relaxed);
            let calls = inner.due();
            let unused = if refused.is_some() {
                if inner.restaters.iter().any(|waiting| waiting.will_wake(&waker)) {
                    Some(waker)
                } else {
                    inner.restaters.push(waker);
                    None
                }
            } else {
                Some(waker)
            };
            (refused, calls, unused)
        };
        if let Some(calls) = calls {
            calls.wake();
        }
        *what = refused;
        if what.is_some() { Poll::Pending } else { Poll::Ready(()) }
    }

    // ---- the driver's end

    /// Ends the run ([`RunKernel::end`]) and wakes all writers that wait for room.
    pub(crate) fn end(&self, terminal: TerminalOutcome, state: Option<Event>) {
        self.act(|kernel| kernel.end(terminal, state));
        let waiting = {
            let mut inner = self.lock();
            (inner.writers.call(usize::MAX), std::mem::take(&mut inner.restaters))
        };
        waiting.0.into_iter().chain(waiting.1).for_each(Waker::wake);
    }

    // The kernel runs no user code, so no panic can leave a change half done: a poisoned lock (from a panic in a
    // waker's destructor, for example) still guards a consistent state.
    fn lock(&self) -> MutexGuard<'_, HubState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A writer's access to the hub: waits for room, and on drop lets the next writer pass.
pub(crate) struct WriteTurn<'h> {
    hub: &'h KernelHub,
    by: SpanSlot,
    ticket: Option<WriterTicket>,
    gave_way: bool,
}

impl<'h> WriteTurn<'h> {
    pub(crate) fn new(hub: &'h KernelHub) -> Self {
        Self { hub, by: ROOT, ticket: None, gave_way: false }
    }

    /// Returns the write turn for the author at `by`.
    pub(crate) fn for_author(hub: &'h KernelHub, by: SpanSlot) -> Self {
        Self { hub, by, ticket: None, gave_way: false }
    }

    #[inline]
    pub(crate) fn poll(&mut self, cx: &Context<'_>) -> Poll<()> {
        if self.ticket.is_none() && self.hub.has_room(self.by) {
            Poll::Ready(())
        } else {
            self.poll_locked(cx)
        }
    }

    fn poll_locked(&mut self, cx: &Context<'_>) -> Poll<()> {
        let turns = ready!(self.hub.poll_turn(self.by, &mut self.ticket, cx));
        // An event that is discarded takes up no room, so a loop of such writes would never wait. The loop must still
        // yield to its executor, or an aborted task would never notice.
        if turns == WriteOutcome::Discarded && !self.gave_way {
            self.gave_way = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

impl Drop for WriteTurn<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.hub.leave(ticket);
        }
    }
}
