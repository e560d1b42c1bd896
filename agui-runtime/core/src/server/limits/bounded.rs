//! A run with a time limit, which also ends when the server does.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use tokio::task::AbortHandle;
use tokio::time::{Sleep, sleep};

use super::run_slots::RunSlot;
use crate::agent::EventStream;
use crate::protocol::Event;
use crate::server::lifetime::shutdown::StopFuture;
use crate::server::metrics;
use crate::server::metrics::TimeoutKind;

/// Consecutive events after which a busy agent is checked again.
const UNWATCHED: u32 = 64;

/// The watchdog's delay after the run's own time limit.
const PATIENCE: Duration = Duration::from_secs(1);

/// A run's events, which can be ended with RUN_ERROR from outside.
pub(in crate::server) trait StoppableStream:
    Stream<Item = Event> + Send + Unpin + 'static
{
    /// Ends the run: the stream continues with END for open spans, then the error.
    fn fail(&mut self, message: String, code: &str);
}

impl StoppableStream for EventStream {
    fn fail(&mut self, message: String, code: &str) {
        self.fail(message, code);
    }
}

/// The bounds of one run: its time, and the server's shutdown.
#[derive(Default)]
pub(in crate::server) struct RunBounds {
    pub(in crate::server) timeout: Option<Duration>,
    pub(in crate::server) stopped: Option<StopFuture>,
}

/// A run that ends when its time is over.
pub(in crate::server) struct BoundedRun<S> {
    running: Arc<Mutex<BoundedRunState<S>>>,
    limit: Option<(Duration, Pin<Box<Sleep>>)>,
    stopped: Option<StopFuture>,
    since_look: u32,
    watchdog: Option<AbortHandle>,
}

struct BoundedRunState<S> {
    events: S,
    is_started: bool,
    /// `None` once the run has ended.
    slot: Option<RunSlot>,
}

impl<S: StoppableStream> BoundedRunState<S> {
    fn end(&mut self, timeout: TimeoutKind, code: &str, message: String) {
        tracing::warn!(code, message, "run ended");
        metrics::timed_out(timeout);
        self.events.fail(message, code);
    }
}

impl<S: StoppableStream> BoundedRun<S> {
    pub(in crate::server) fn new(
        events: S,
        RunBounds { timeout: limit, stopped }: RunBounds,
        slot: RunSlot,
    ) -> Self {
        let running = Arc::new(Mutex::new(BoundedRunState { events, is_started: false, slot: Some(slot) }));
        let watchdog = limit.map(|limit| tokio::spawn(watch(Arc::downgrade(&running), limit)).abort_handle());
        let limit = limit.map(|limit| (limit, Box::pin(sleep(limit))));
        Self { running, limit, stopped, since_look: 0, watchdog }
    }

    /// Ends the run if its time is over or the server stops. Returns true if this may have added events.
    fn end_if_due(&mut self, cx: &mut Context<'_>) -> bool {
        self.since_look = 0;
        if let Some(stopped) = &mut self.stopped
            && stopped.as_mut().poll(cx).is_ready()
        {
            let message = "the server shut down before the run ended".to_owned();
            return self.end(TimeoutKind::Shutdown, "shutdown", message);
        }
        if let Some((limit, timer)) = &mut self.limit
            && timer.as_mut().poll(cx).is_ready()
        {
            let message = too_long(*limit);
            return self.end(TimeoutKind::Run, "run_timeout", message);
        }
        false
    }

    fn end(&mut self, timeout: TimeoutKind, code: &str, message: String) -> bool {
        (self.stopped, self.limit) = (None, None);
        let mut running = lock(&self.running);
        // A run without a slot has ended already.
        if running.slot.is_some() {
            running.end(timeout, code, message);
        }
        true
    }
}

impl BoundedRun<EventStream> {
    /// Ends the run with outcome `cancelled`.
    pub(in crate::server) fn cancel(&mut self) {
        lock(&self.running).events.cancel();
    }

    /// Ends the run with RUN_ERROR.
    pub(in crate::server) fn fail_run(&mut self, message: String, code: &str) {
        lock(&self.running).events.fail(message, code);
    }
}

/// Ends a run whose client does not read: an unpolled stream cannot notice that its time is over.
async fn watch<S: StoppableStream>(running: Weak<Mutex<BoundedRunState<S>>>, limit: Duration) {
    sleep(limit.saturating_add(PATIENCE)).await;
    let Some(running) = running.upgrade() else { return };
    // If the lock is held, the stream is being polled, and notices it itself.
    if let Ok(mut running) = running.try_lock()
        && running.is_started
        && running.slot.is_some()
    {
        running.end(TimeoutKind::Run, "run_timeout", too_long(limit));
        running.slot = None;
    }
}

fn too_long(limit: Duration) -> String {
    format!("the run took longer than {limit:?}")
}

// A panic in a destructor of an agent leaves the stream unchanged.
fn lock<S>(running: &Mutex<BoundedRunState<S>>) -> MutexGuard<'_, BoundedRunState<S>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: StoppableStream> Stream for BoundedRun<S> {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        // The agent is polled first: a run must start before it ends.
        let mut polled = {
            let mut running = lock(&self.running);
            running.is_started = true;
            Pin::new(&mut running.events).poll_next(cx)
        };
        match &polled {
            Poll::Ready(Some(_)) => {
                self.since_look += 1;
                if self.since_look >= UNWATCHED {
                    self.end_if_due(cx);
                }
            }
            Poll::Pending => {
                if self.end_if_due(cx) {
                    polled = Pin::new(&mut lock(&self.running).events).poll_next(cx);
                }
            }
            Poll::Ready(None) => {}
        }
        if let Poll::Ready(None) = polled {
            lock(&self.running).slot = None;
        }
        polled
    }
}

impl<S> Drop for BoundedRun<S> {
    fn drop(&mut self) {
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.abort();
        }
    }
}
