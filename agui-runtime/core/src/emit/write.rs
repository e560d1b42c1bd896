//! Writes: events as data, and the future that waits for room and sends them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::Emit;
use crate::kernel::{EventFields, WriteFields, WriteTurn, field_methods};

/// One write, as data. Only this crate implements the trait; the output is documented at the method that creates the write.
///
/// ```
/// use agui_runtime::future::{RunWrite, WriteFuture};
/// use agui_runtime::protocol::Timestamp;
///
/// /// Makes any write with a time of its own.
/// async fn at<'w, W: RunWrite<'w>>(time: Timestamp, write: WriteFuture<'w, W>) -> W::Output {
///     write.timestamp(time).await
/// }
/// # async fn example(run: &agui_runtime::Emit) {
/// at(Timestamp::from(0), run.say("Hello!")).await;
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a write of a run",
    label = "not something a run can do",
    note = "the methods of `Run`, of `Emit` and of the spans that they open make writes"
)]
pub trait RunWrite<'w>: Sized {
    /// The result of the awaited write.
    type Output;

    #[doc(hidden)]
    fn act(self, emit: &'w Emit, fields: Option<Box<EventFields>>) -> Self::Output;
}

/// A write that happens when the run has room: the future behind every `.await` on a run.
///
/// Nothing is sent before the future is awaited. The write happens in one poll, so dropping the future either prevents the write
/// or comes too late; no event is half sent.
///
/// A slow reader slows the agent down, because writes wait for room. A write does not fail without a reader: when the reader is
/// gone, so are the run's stream and this future. Blocking on a write instead of awaiting it hangs, because the blocked thread is
/// also the reading thread.
///
/// Every write takes the optional event fields. A write with several events sets metadata and the provider's event on the first,
/// and the timestamp on each:
///
/// ```
/// use agui_runtime::protocol::Metadata;
///
/// # async fn example(run: &agui_runtime::Emit, metadata: Metadata) {
/// run.say("One rice.").metadata(metadata).await;
/// # }
/// ```
#[must_use = "nothing is sent until it is awaited"]
pub struct WriteFuture<'w, O> {
    emit: &'w Emit,
    turn: WriteTurn<'w>,
    fields: WriteFields,
    act: Option<O>,
}

impl<'w, O: RunWrite<'w>> WriteFuture<'w, O> {
    pub(crate) fn new(emit: &'w Emit, act: O) -> Self {
        Self { emit, turn: WriteTurn::for_author(emit.hub(), emit.author()), fields: None, act: Some(act) }
    }

    /// Changes the write before it happens.
    pub(crate) fn with(mut self, more: impl FnOnce(&mut O)) -> Self {
        self.act.as_mut().map(more);
        self
    }

    /// Sets all fields at once.
    pub(crate) fn fields(mut self, fields: WriteFields) -> Self {
        self.fields = fields;
        self
    }

    field_methods!();

    fn with_fields(mut self, set: impl FnOnce(&mut EventFields)) -> Self {
        set(self.fields.get_or_insert_default());
        self
    }
}

// The write is moved out, never pinned.
impl<O> Unpin for WriteFuture<'_, O> {}

impl<'w, O: RunWrite<'w>> Future for WriteFuture<'w, O> {
    type Output = O::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O::Output> {
        ready!(self.turn.poll(cx));
        let fields = self.fields.take();
        match self.act.take() {
            Some(act) => Poll::Ready(act.act(self.emit, fields)),
            // Polled again after completion: there is nothing to send, and a panic would help no caller.
            None => Poll::Pending,
        }
    }
}

impl<O> fmt::Debug for WriteFuture<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteFuture").field("done", &self.act.is_none()).finish_non_exhaustive()
    }
}
