//! Bodies that take too long.

use std::error::Error as _;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

/// The slowest that counts as sending, in bytes a second. A body may take as long as its size needs at this pace.
const PACE: u64 = 16 * 1024;

/// The time a body may take, before its size is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyTime(Duration);

impl BodyTime {
    /// `None` where the limit is beyond what a clock can show.
    pub(super) fn new(time: Option<Duration>) -> Option<Self> {
        time.filter(|time| Instant::now().checked_add(*time).is_some()).map(Self)
    }
}

/// A request body that fails with [`BodyTimeout`] when it is not complete in time.
pub(super) struct TimedBody {
    body: Body,
    time: BodyTime,
    read: u64,
    start: Instant,
    /// Made when the body is waited for, which most bodies never are.
    timer: Option<Pin<Box<Sleep>>>,
}

/// A body was not complete in time.
#[derive(Debug, thiserror::Error)]
#[error("the body took too long")]
pub(super) struct BodyTimeout;

impl BodyTimeout {
    /// Whether this is the cause of an error that was met while a body was read.
    pub(super) fn is_cause_of(error: &axum::Error) -> bool {
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

impl TimedBody {
    pub(super) fn new(body: Body, time: BodyTime) -> Self {
        Self { body, time, read: 0, start: Instant::now(), timer: None }
    }

    fn deadline(&self) -> Option<Instant> {
        let bonus = Duration::from_secs(self.read / PACE);
        self.time.0.checked_add(bonus).and_then(|time| self.start.checked_add(time))
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) {
            if let Some(Ok(frame)) = &frame {
                this.read += frame.data_ref().map_or(0, |data| data.len() as u64);
            }
            return Poll::Ready(frame);
        }
        let Some(deadline) = this.deadline() else { return Poll::Pending };
        let timer = this.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Some(Err(axum::Error::new(BodyTimeout))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
