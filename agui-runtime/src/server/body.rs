//! A run as the body of a response.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use futures::stream::BoxStream;
use tokio::time::{Instant, Sleep, sleep};

use super::encoding::{Encoder, Encoding, Unwritable};
use super::shutdown::Stopped;
use crate::protocol::{Event, RunErrorEvent};
use crate::quoted::quoted;

/// Events that are ready at once share a chunk up to about this many bytes; none waits for another.
const CHUNK: usize = 16 * 1024;

/// So many events that an encoding has no words for are passed over before others get their turn.
const UNSAID: usize = 256;

/// The events of one run, encoded. The server drops it when the client leaves, and with it the agent's function call.
pub(super) struct RunBody {
    /// `None` once the run has ended.
    events: Option<BoxStream<'static, Event>>,
    encoder: Encoder,
    buffer: Vec<u8>,
    quiet: Option<Quiet>,
    stopped: Option<Stopped>,
    span: tracing::Span,
}

impl RunBody {
    pub(super) fn new(
        events: BoxStream<'static, Event>,
        encoding: Encoding,
        keep_alive: Option<Duration>,
        stopped: Option<Stopped>,
        span: tracing::Span,
    ) -> Self {
        let quiet = encoding.keep_alive().zip(keep_alive).map(|(says, limit)| Quiet::new(limit, says));
        Self { events: Some(events), encoder: encoding.into(), buffer: Vec::new(), quiet, stopped, span }
    }

    /// Moves what is ready into the buffer.
    fn fill(&mut self, cx: &mut Context<'_>) -> Result<(), BrokenStream> {
        let mut unsaid = 0;
        while let Some(events) = &mut self.events
            && self.buffer.len() < CHUNK
        {
            if unsaid == UNSAID {
                cx.waker().wake_by_ref();
                break;
            }
            match Pin::new(events).poll_next(cx) {
                Poll::Ready(Some(event)) => {
                    let before = self.buffer.len();
                    if let Err(unwritable) = self.encoder.encode(&event, &mut self.buffer) {
                        self.buffer.truncate(before);
                        self.fail(&unwritable)?;
                        break;
                    }
                    unsaid += usize::from(self.buffer.len() == before);
                }
                Poll::Ready(None) => self.events = None,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Ends the run with an error instead of an event that cannot be sent: what was said before is not lost, and the client
    /// learns why it ends.
    fn fail(&mut self, unwritable: &Unwritable) -> Result<(), BrokenStream> {
        tracing::warn!(unwritable = %quoted(unwritable), "run failed");
        self.events = None;
        let error = RunErrorEvent::new(quoted(unwritable).to_string()).with_code("unwritable_event");
        Ok(self.encoder.encode(&error.into(), &mut self.buffer)?)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenStream>>> {
        if self.events.is_none() {
            return Poll::Ready(None);
        }
        if let Some(stopped) = &mut self.stopped
            && stopped.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Some(Err(BrokenStream::Stopped)));
        }
        if let Err(broken) = self.fill(cx) {
            return Poll::Ready(Some(Err(broken)));
        }
        if !self.buffer.is_empty() {
            let chunk = Bytes::copy_from_slice(&self.buffer);
            self.buffer.clear();
            if let Some(quiet) = &mut self.quiet {
                quiet.restart();
            }
            return Poll::Ready(Some(Ok(chunk)));
        }
        if self.events.is_none() {
            return Poll::Ready(None);
        }
        if let Some(quiet) = &mut self.quiet
            && quiet.is_over(cx)
        {
            return Poll::Ready(Some(Ok(Bytes::from_static(quiet.says))));
        }
        Poll::Pending
    }
}

impl Stream for RunBody {
    type Item = Result<Bytes, BrokenStream>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let span = self.span.clone();
        let _entered = span.enter();
        let polled = self.poll(cx);
        if let Poll::Ready(Some(Err(broken))) = &polled {
            tracing::warn!(broken = %quoted(broken), "run dropped");
            self.events = None;
        }
        polled
    }
}

impl Drop for RunBody {
    fn drop(&mut self) {
        let _entered = self.span.enter();
        if self.events.take().is_some() {
            tracing::debug!("the client left before the run ended");
        }
    }
}

/// Why the stream ends without a terminal event. The connection is then cut, so that the client cannot take it for an
/// end (AG-UI 1.0, section "HTTP exchange": truncated).
#[derive(Debug, thiserror::Error)]
pub(super) enum BrokenStream {
    #[error("the server is shutting down")]
    Stopped,
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
}

/// The time since the last bytes.
struct Quiet {
    limit: Duration,
    says: &'static [u8],
    timer: Pin<Box<Sleep>>,
}

impl Quiet {
    fn new(limit: Duration, says: &'static [u8]) -> Self {
        Self { limit, says, timer: Box::pin(sleep(limit)) }
    }

    fn restart(&mut self) {
        match Instant::now().checked_add(self.limit) {
            Some(end) => self.timer.as_mut().reset(end),
            // Longer than there are times for: `sleep` knows what that is.
            None => self.timer.set(sleep(self.limit)),
        }
    }

    /// Says so once, then starts again.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let over = self.timer.as_mut().poll(cx).is_ready();
        if over {
            self.restart();
        }
        over
    }
}
