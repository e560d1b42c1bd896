//! Reads a run one event at a time, without an executor: a run that waits without a waker is a deadlock.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use agui_runtime::EventStream;
use agui_runtime::protocol::Event;
use futures::Stream;

struct Called(AtomicBool);

impl Wake for Called {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A deadlock: no waker will be called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck;

/// The next event.
pub(crate) fn next(stream: &mut EventStream) -> Result<Option<Event>, Stuck> {
    let called = Arc::new(Called(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&called));
    loop {
        match Pin::new(&mut *stream).poll_next(&mut Context::from_waker(&waker)) {
            Poll::Ready(event) => return Ok(event),
            Poll::Pending if called.0.swap(false, Ordering::Relaxed) => {}
            Poll::Pending => return Err(Stuck),
        }
    }
}
