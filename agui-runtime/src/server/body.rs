//! A run as the body of a response.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use futures::stream::BoxStream;
use tokio::time::{Instant, Sleep, sleep};

use super::encoding::{Encoder, Unwritable};
use super::heartbeat::Heartbeat;
use super::unended::Unended;
use crate::protocol::{Event, RunErrorEvent};
use crate::quoted::quoted;

/// Events that are ready at once share a chunk up to about this number of bytes; no event waits for another.
const CHUNK: usize = 16 * 1024;

/// The number of inexpressible events that are skipped before other tasks get a turn.
const UNSAID: usize = 256;

/// The events of one run, encoded. The server drops it when the client leaves, and with it the agent's function call.
pub(super) struct RunBody {
    /// `None` once the run has ended.
    events: Option<BoxStream<'static, Event>>,
    encoder: Encoder,
    unended: Unended,
    buffer: Vec<u8>,
    quiet: Option<Quiet>,
    heartbeat: Heartbeat,
    span: tracing::Span,
}

impl RunBody {
    pub(super) fn new(
        events: BoxStream<'static, Event>,
        encoder: Encoder,
        unended: Unended,
        keep_alive: Option<Duration>,
        heartbeat: Heartbeat,
        span: tracing::Span,
    ) -> Self {
        let quiet = keep_alive.map(Quiet::new);
        Self { events: Some(events), encoder, unended, buffer: Vec::new(), quiet, heartbeat, span }
    }

    /// Moves the events that are ready into the buffer.
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
                    if let Err(unwritable) = self.say(&event) {
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

    /// Writes an event, after the events that the client needs before it.
    fn say(&mut self, event: &Event) -> Result<(), Unwritable> {
        for end in self.unended.ends_before(event) {
            self.encoder.encode(&end, &mut self.buffer)?;
        }
        self.encoder.encode(event, &mut self.buffer)?;
        self.unended.learn(event);
        Ok(())
    }

    /// Ends the run with an error instead of an event that cannot be sent: earlier events are not lost, and the client
    /// learns the reason.
    fn fail(&mut self, unwritable: &Unwritable) -> Result<(), BrokenStream> {
        tracing::warn!(unwritable = %quoted(unwritable), "run failed");
        self.events = None;
        let error = RunErrorEvent::new(quoted(unwritable).to_string()).with_code("unwritable_event");
        Ok(self.say(&error.into())?)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenStream>>> {
        if self.events.is_none() {
            return Poll::Ready(None);
        }
        if let Err(broken) = self.fill(cx) {
            return Poll::Ready(Some(Err(broken)));
        }
        if !self.buffer.is_empty() {
            self.heartbeat.resume(0, &mut self.buffer);
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
            self.heartbeat.beat(&mut self.buffer);
            if !self.buffer.is_empty() {
                return Poll::Ready(Some(Ok(Bytes::from(std::mem::take(&mut self.buffer)))));
            }
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

/// The reason why the stream ends without a terminal event. The connection is then cut, so that the client cannot take
/// it for a regular end (AG-UI 1.0, section "HTTP exchange": truncated).
#[derive(Debug, thiserror::Error)]
pub(super) enum BrokenStream {
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
}

/// The time since the last bytes.
struct Quiet {
    limit: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Quiet {
    fn new(limit: Duration) -> Self {
        Self { limit, timer: Box::pin(sleep(limit)) }
    }

    fn restart(&mut self) {
        match Instant::now().checked_add(self.limit) {
            Some(end) => self.timer.as_mut().reset(end),
            // `sleep` handles a time that exceeds the clock.
            None => self.timer.set(sleep(self.limit)),
        }
    }

    /// Returns true once when the time is over, then starts again.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let over = self.timer.as_mut().poll(cx).is_ready();
        if over {
            self.restart();
        }
        over
    }
}
