//! Time limit for request bodies.

use std::error::Error as _;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::Body as _;
use tokio::time::{Instant, Sleep, sleep_until};

use super::watched::{BodyWatch, PolledFrame};

/// The slowest accepted pace, in bytes per second. A slower body uses up its time.
const PACE: u32 = 16 * 1024;

/// A body's initial time, which is also the most that it ever has left.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct BodyTimeLimit(Duration);

impl BodyTimeLimit {
    /// Returns `None` if the limit exceeds the clock's range.
    pub(in crate::server) fn new(time: Option<Duration>) -> Option<Self> {
        time.filter(|time| Instant::now().checked_add(*time).is_some()).map(Self)
    }
}

/// A body was not complete in time.
#[derive(Debug, thiserror::Error)]
#[error("the body took too long")]
pub(in crate::server) struct BodyTimeout;

impl BodyTimeout {
    /// Returns true if a timeout caused a body's read error.
    pub(in crate::server) fn is_cause_of(error: &axum::Error) -> bool {
        let mut cause = error.source();
        while let Some(error) = cause {
            if error.is::<Self>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

/// Fails a request body with [`BodyTimeout`] if the body is not complete in time.
pub(in crate::server) struct BodyDeadline {
    time: BodyTimeLimit,
    end: Option<Instant>,
    /// Created when the body must be waited for; most bodies never need a timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl BodyDeadline {
    /// Starts the time now.
    pub(in crate::server) fn new(time: BodyTimeLimit) -> Self {
        Self { time, end: Instant::now().checked_add(time.0), timer: None }
    }

    /// Adds the time that arrived bytes earn. The time left never exceeds the initial time: otherwise a sender of an almost
    /// complete body could hold a budget share for minutes.
    pub(in crate::server) fn extend(&mut self, bytes: usize) {
        let bonus = Duration::from_secs(bytes as u64) / PACE;
        let most = Instant::now().checked_add(self.time.0);
        self.end = self.end.and_then(|end| end.checked_add(bonus)).zip(most).map(|(end, most)| end.min(most));
    }

    /// Resolves when the time is over.
    pub(in crate::server) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.end else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(cx)
    }
}

impl BodyWatch<Body> for BodyDeadline {
    type Error = axum::Error;

    fn poll_frame(&mut self, body: Pin<&mut Body>, cx: &mut Context<'_>) -> PolledFrame<axum::Error> {
        if let Poll::Ready(frame) = body.poll_frame(cx) {
            if let Some(Ok(frame)) = &frame {
                self.extend(frame.data_ref().map_or(0, Bytes::len));
            }
            return Poll::Ready(frame);
        }
        ready!(self.poll_over(cx));
        Poll::Ready(Some(Err(axum::Error::new(BodyTimeout))))
    }
}
