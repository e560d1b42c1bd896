use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::fields::field_methods;
use super::hub::Turn;
use super::{Emit, EventFields, Fields};

/// One write, as data. Implemented by this crate alone; what it gives back is documented where it is made.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a write of a run",
    label = "not something a run can do",
    note = "writes are made by the methods of `Run`, `Emit` and what they open"
)]
pub trait Act<'w>: Sized {
    /// What awaiting the write gives.
    type Output;

    #[doc(hidden)]
    fn act(self, emit: &'w Emit, fields: Option<Box<EventFields>>) -> Self::Output;
}

/// A write that happens when the run has room for it: the future behind every `.await` on a run.
///
/// Nothing is sent before it is awaited. The write happens in one poll, so dropping the future either prevents it or
/// comes too late; there is no half-sent event.
///
/// Waiting for room is how a slow reader slows the agent down. A write cannot fail for want of a reader: when nobody
/// reads any more, the run's stream is gone, and this future with it. Blocking on a write instead of awaiting it hangs: the
/// thread that blocks is the one that reads.
///
/// Every write takes the fields any event may carry. One that sends several events puts metadata and the provider's
/// event on the first, and the timestamp on each:
///
/// ```
/// use agui_runtime::protocol::Metadata;
///
/// # async fn example(run: &agui_runtime::Emit, metadata: Metadata) {
/// run.say("One rice.").metadata(metadata).await;
/// # }
/// ```
#[must_use = "nothing is sent until it is awaited"]
pub struct Do<'w, O> {
    emit: &'w Emit,
    turn: Turn<'w>,
    fields: Fields,
    act: Option<O>,
}

impl<'w, O: Act<'w>> Do<'w, O> {
    pub(crate) fn new(emit: &'w Emit, act: O) -> Self {
        Self { emit, turn: Turn::of(emit), fields: None, act: Some(act) }
    }

    /// Says more about the write, before it happens.
    pub(crate) fn with(mut self, more: impl FnOnce(&mut O)) -> Self {
        self.act.as_mut().map(more);
        self
    }

    /// The fields all at once.
    pub(crate) fn fields(mut self, fields: Fields) -> Self {
        self.fields = fields;
        self
    }

    field_methods!();

    fn with_fields(mut self, set: impl FnOnce(&mut EventFields)) -> Self {
        set(self.fields.get_or_insert_default());
        self
    }
}

// The act is moved out, never pinned.
impl<O> Unpin for Do<'_, O> {}

impl<'w, O: Act<'w>> Future for Do<'w, O> {
    type Output = O::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O::Output> {
        ready!(self.turn.poll(cx));
        let fields = self.fields.take();
        match self.act.take() {
            Some(act) => Poll::Ready(act.act(self.emit, fields)),
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
