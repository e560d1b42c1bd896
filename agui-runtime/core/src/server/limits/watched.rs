//! Request and response bodies with an observer.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// A body's frame, its end, or nothing yet.
pub(in crate::server) type PolledFrame<E> = Poll<Option<Result<Frame<Bytes>, E>>>;

/// An observer between a body and its reader.
pub(in crate::server) trait BodyWatch<B: Body<Data = Bytes>> {
    type Error;

    /// Returns the reader's next frame.
    fn poll_frame(&mut self, body: Pin<&mut B>, cx: &mut Context<'_>) -> PolledFrame<Self::Error>;

    /// Returns the number of bytes that came from the body and have not reached the reader.
    fn held(&self) -> usize {
        0
    }
}

/// A body with its observer.
pub(in crate::server) struct WatchedBody<B, W> {
    body: B,
    watch: W,
}

impl<B, W> WatchedBody<B, W> {
    pub(in crate::server) fn new(body: B, watch: W) -> Self {
        Self { body, watch }
    }
}

impl<B, W> Body for WatchedBody<B, W>
where
    B: Body<Data = Bytes> + Unpin,
    W: BodyWatch<B> + Unpin,
{
    type Data = Bytes;
    type Error = W::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> PolledFrame<W::Error> {
        let Self { body, watch } = &mut *self;
        watch.poll_frame(Pin::new(body), cx)
    }

    fn is_end_stream(&self) -> bool {
        self.watch.held() == 0 && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (mut hint, held) = (self.body.size_hint(), self.watch.held() as u64);
        if held > 0 {
            if let Some(upper) = hint.upper() {
                hint.set_upper(upper.saturating_add(held));
            }
            hint.set_lower(hint.lower().saturating_add(held));
        }
        hint
    }
}
