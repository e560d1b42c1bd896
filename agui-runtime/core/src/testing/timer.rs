//! A timer that a test moves on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending, ready};

use crate::kernel::Timer;

/// A [`Timer`] whose time passes when a test says so. Clones share the time.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::{Timer, testing::ManualTimer};
/// use futures::FutureExt;
///
/// let timer = ManualTimer::new();
/// let mut second = timer.sleep(Duration::from_secs(1));
/// assert!((&mut second).now_or_never().is_none());
/// timer.advance(Duration::from_secs(1));
/// assert!(second.now_or_never().is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualTimer(Arc<Mutex<Time>>);

#[derive(Debug, Default)]
struct Time {
    now: Duration,
    sleepers: Vec<(Duration, oneshot::Sender<()>)>,
}

impl ManualTimer {
    /// Returns a timer at the time 0.
    ///
    /// ```
    /// let timer = agui_runtime::testing::ManualTimer::new();
    /// # drop(timer);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets time pass: the futures whose time has come are ready.
    ///
    /// ```
    /// agui_runtime::testing::ManualTimer::new().advance(std::time::Duration::from_secs(1));
    /// ```
    pub fn advance(&self, time: Duration) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.now = held.now.saturating_add(time);
        let now = held.now;
        let (due, later) = std::mem::take(&mut held.sleepers).into_iter().partition(|(at, _)| *at <= now);
        held.sleepers = later;
        drop(held);
        let due: Vec<_> = due;
        for (_, sleeper) in due {
            // A future that was dropped waits for nothing.
            _ = sleeper.send(());
        }
    }
}

impl Timer for ManualTimer {
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        if time.is_zero() {
            return ready(()).boxed();
        }
        let (sender, receiver) = oneshot::channel();
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = held.now.saturating_add(time);
        held.sleepers.push((at, sender));
        async move {
            if receiver.await.is_err() {
                // The timer is gone, and its time with it.
                pending::<()>().await;
            }
        }
        .boxed()
    }
}
