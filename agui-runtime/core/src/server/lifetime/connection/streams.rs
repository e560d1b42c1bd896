//! HTTP/2 streams: one stream's reader may stop while others on the connection go on.
//!
//! A reader whose window is closed blocks no write: hyper waits for the window and does not poll the body meanwhile. So a body
//! records when it has handed out data and was not polled again. If that lasts too long, the stream's task is dropped, which
//! resets the stream and cancels the run. A slow reader has the full time for each small piece, however long the data is.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use hyper::rt::Executor;
use tokio::time::{Instant, sleep_until};

use crate::server::metrics;
use crate::server::metrics::TimeoutKind;

/// Bytes that a body hands out at once: they fit into one HTTP/2 frame (RFC 9113, section 4.2).
pub(super) const PIECE: usize = 16 * 1024;

tokio::task_local! {
    /// The current task's stream.
    static PACE: Arc<StreamPace>;
}

/// A stream reader's progress.
#[derive(Debug, Default)]
pub(super) struct StreamPace {
    /// The time since which data is handed out and no more is polled.
    ahead: Mutex<Option<Instant>>,
}

impl StreamPace {
    /// Returns the current task's pace; `None` over HTTP/1, where the socket measures the progress.
    pub(super) fn current() -> Option<Arc<Self>> {
        PACE.try_with(Arc::clone).ok()
    }

    pub(super) fn handed_out(&self) {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    pub(super) fn polled(&self) {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn deadline(&self, time: Duration) -> Option<Instant> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner).and_then(|since| since.checked_add(time))
    }
}

/// Spawns the tasks of streams.
#[derive(Clone, Debug)]
pub(super) struct StreamSpawner {
    pub(super) write_timeout: Option<Duration>,
}

impl<F> Executor<F> for StreamSpawner
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, stream: F) {
        match self.write_timeout {
            Some(time) => drop(tokio::spawn(read_in_time(stream, time))),
            None => drop(tokio::spawn(async move {
                stream.await;
            })),
        }
    }
}

async fn read_in_time(stream: impl Future, time: Duration) {
    let pace = Arc::<StreamPace>::default();
    let mut stream = pin!(PACE.scope(Arc::clone(&pace), stream));
    let mut timer = pin!(None);
    poll_fn(|cx| {
        if stream.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let Some(deadline) = pace.deadline(time) else { return Poll::Pending };
        if timer.is_none() {
            timer.set(Some(sleep_until(deadline)));
        }
        let Some(mut timer) = timer.as_mut().as_pin_mut() else { return Poll::Pending };
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        if timer.poll(cx).is_pending() {
            return Poll::Pending;
        }
        metrics::timed_out(TimeoutKind::Write);
        tracing::debug!(?time, "a client stopped reading: its stream is reset");
        Poll::Ready(())
    })
    .await;
}
