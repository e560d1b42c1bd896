//! The run events that a store has, for calls that must wait until their own events are stored.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// The number of run events in the store, counted in sending order.
///
/// If a call ran before its record was stored, the run could be lost after the call's effect and before any server knew of the
/// call: a second run would make the call again, under a new id.
#[derive(Debug, Default)]
pub(crate) struct StoreProgress(Mutex<StoreProgressState>);

#[derive(Debug, Default)]
struct StoreProgressState {
    events: u64,
    waiting: Vec<Waker>,
}

impl StoreProgress {
    /// Records that the store has the run's first `events` events.
    #[cfg(feature = "server")]
    pub(crate) fn reach(&self, events: u64) {
        let mut state = self.lock();
        state.events = state.events.max(events);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Waits until the store has the run's first `events` events.
    pub(crate) async fn has(&self, events: u64) {
        poll_fn(|context| {
            let mut state = self.lock();
            if state.events >= events {
                return Poll::Ready(());
            }
            if !state.waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                state.waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    fn lock(&self) -> MutexGuard<'_, StoreProgressState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_call_waits_until_its_events_are_written() {
        let written = StoreProgress::default();
        let mut waits = Box::pin(written.has(3));
        assert!(waits.as_mut().now_or_never().is_none());
        written.reach(2);
        assert!(waits.as_mut().now_or_never().is_none());
        written.reach(3);
        // Fewer than before is no news.
        written.reach(1);
        assert!(waits.now_or_never().is_some());
    }
}
