use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::Emit;

/// One write, as data. Implemented by this crate alone; what it gives back is documented where it is made.
pub trait Act<'w>: Sized {
    /// What awaiting the write gives.
    type Output;

    #[doc(hidden)]
    fn act(self, emit: &'w Emit) -> Self::Output;
}

/// A write that happens when the run has room for it: the future behind every `.await` on a run.
///
/// Nothing is sent before it is awaited. The write happens in one poll, so dropping the future either prevents it or
/// comes too late; there is no half-sent event.
///
/// Waiting for room is how a slow reader slows the agent down. A write cannot fail for want of a reader: when nobody
/// reads any more, the run's stream is gone, and this future with it. Blocking on a write instead of awaiting it hangs: the
/// thread that blocks is the one that reads.
#[must_use = "nothing is sent until it is awaited"]
pub struct Do<'w, O> {
    emit: &'w Emit,
    act: Option<O>,
}

impl<'w, O: Act<'w>> Do<'w, O> {
    pub(crate) fn new(emit: &'w Emit, act: O) -> Self {
        Self { emit, act: Some(act) }
    }

    /// Says more about the write, before it happens.
    pub(crate) fn with(mut self, more: impl FnOnce(&mut O)) -> Self {
        self.act.as_mut().map(more);
        self
    }
}

// The act is moved out, never pinned.
impl<O> Unpin for Do<'_, O> {}

impl<'w, O: Act<'w>> Future for Do<'w, O> {
    type Output = O::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O::Output> {
        ready!(self.emit.hub().poll_room(cx));
        match self.act.take() {
            Some(act) => Poll::Ready(act.act(self.emit)),
            // Polled again after it was done: there is nothing left to say, and nothing to panic about.
            None => Poll::Pending,
        }
    }
}

impl<O> fmt::Debug for Do<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Do").field("done", &self.act.is_none()).finish_non_exhaustive()
    }
}
