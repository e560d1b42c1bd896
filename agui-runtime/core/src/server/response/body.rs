//! A run as a response body.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, Sleep, sleep};

use super::encoding::{StreamEncoder, UnencodableEvent};
use super::heartbeat::HeartbeatWriter;
use super::unended::ClientOpenSpans;
use crate::protocol::{Event, EventType, RunErrorEvent};
use crate::quoted::quoted;
use crate::server::metrics::SentCounters;
use crate::wire::sse;

/// Events that are ready together share a chunk up to about this length in bytes; no event waits for another. The length is a bit
/// below the capacity to which the buffer grows.
const CHUNK: usize = 15 * 1024;

/// From this length on, a chunk leaves with its buffer, and the run holds no buffer while the client does not read. Shorter chunks
/// are copied, because otherwise the buffer would grow again for each event.
const LARGE: usize = 4 * 1024;

/// Inexpressible events that are skipped before other tasks get a turn.
const UNSAID: usize = 256;

/// The source of a body's events.
pub(in crate::server) enum BodySource {
    /// A run's events; the run ends with the body.
    Run(BoxStream<'static, Event>),
    /// A stored thread's events.
    Thread(BoxStream<'static, Result<StoredEvent, StoreReadFailure>>),
}

/// An event from a stored thread.
pub(in crate::server) enum StoredEvent {
    /// An event, and its server-sent event id.
    Event(Event, Option<String>),
    /// The same as JSON text, for 1.0 clients that read server-sent events.
    Text(Bytes, String),
    /// Server-sent events whose text is shared with other clients, and the event types.
    Shared(Bytes, Arc<[EventType]>),
    /// A server-sent event whose beginning is this client's, and whose rest is shared.
    Begun(Vec<u8>, [Bytes; 2], EventType),
}

impl StoredEvent {
    /// Returns the event from a stream without texts.
    pub(in crate::server) fn into_event(self) -> Option<Event> {
        match self {
            Self::Event(event, _) => Some(event),
            Self::Text(..) | Self::Shared(..) | Self::Begun(..) => None,
        }
    }
}

/// The store failed while it was read: the client may come back with its cursor.
#[derive(Debug, thiserror::Error)]
#[error("the thread cannot be read any more: {0}")]
pub(in crate::server) struct StoreReadFailure(pub(in crate::server) String);

/// A run's encoded events. When the client leaves, the server drops the body, and with it the agent's function call.
pub(super) struct RunResponseBody {
    /// `None` once the run has ended.
    events: Option<BodySource>,
    encoder: StreamEncoder,
    unended: ClientOpenSpans,
    buffer: Vec<u8>,
    /// Text after the buffer, which is not copied because other readers share it.
    shared: VecDeque<Bytes>,
    quiet: Option<QuietTimer>,
    heartbeat: HeartbeatWriter,
    sent: Arc<SentCounters>,
    span: tracing::Span,
}

impl RunResponseBody {
    pub(in crate::server) fn new(
        events: BodySource,
        encoder: StreamEncoder,
        unended: ClientOpenSpans,
        keep_alive: Option<Duration>,
        heartbeat: HeartbeatWriter,
        sent: Arc<SentCounters>,
        span: tracing::Span,
    ) -> Self {
        let quiet = keep_alive.map(QuietTimer::new);
        Self {
            events: Some(events),
            encoder,
            unended,
            buffer: Vec::new(),
            shared: VecDeque::new(),
            quiet,
            heartbeat,
            sent,
            span,
        }
    }

    /// Moves the events that are ready into the buffer.
    fn fill(&mut self, cx: &mut Context<'_>) -> Result<(), BrokenStream> {
        let mut unsaid = 0;
        while let Some(events) = &mut self.events
            && self.buffer.len() < CHUNK
            && self.shared.is_empty()
        {
            if unsaid == UNSAID {
                cx.waker().wake_by_ref();
                break;
            }
            let before = self.buffer.len();
            let polled = match events {
                BodySource::Run(events) => match Pin::new(events).poll_next(cx) {
                    Poll::Ready(Some(event)) => Poll::Ready(Some(self.write_event(&event, None))),
                    Poll::Ready(None) => Poll::Ready(None),
                    Poll::Pending => Poll::Pending,
                },
                BodySource::Thread(events) => match Pin::new(events).poll_next(cx) {
                    Poll::Ready(Some(Ok(StoredEvent::Event(event, id)))) => {
                        Poll::Ready(Some(self.write_event(&event, id.as_deref())))
                    }
                    Poll::Ready(Some(Ok(StoredEvent::Text(text, id)))) => {
                        self.sent.count_text(&text);
                        if text.len() < CHUNK {
                            sse::encode_text(&text, &id, &mut self.buffer);
                        } else {
                            sse::encode_text_start(&id, &mut self.buffer);
                            self.shared.extend([text, Bytes::from_static(sse::TEXT_END)]);
                        }
                        Poll::Ready(Some(Ok(())))
                    }
                    Poll::Ready(Some(Ok(StoredEvent::Shared(text, types)))) => {
                        self.sent.count_types(&types);
                        self.shared.push_back(text);
                        Poll::Ready(Some(Ok(())))
                    }
                    Poll::Ready(Some(Ok(StoredEvent::Begun(begin, rest, event_type)))) => {
                        self.sent.count_types(&[event_type]);
                        self.buffer.extend_from_slice(&begin);
                        for part in rest.into_iter().filter(|part| !part.is_empty()) {
                            // A short part needs no chunk of its own.
                            if part.len() < CHUNK && self.shared.is_empty() {
                                self.buffer.extend_from_slice(&part);
                            } else {
                                self.shared.push_back(part);
                            }
                        }
                        Poll::Ready(Some(Ok(())))
                    }
                    Poll::Ready(Some(Err(interrupted))) => return self.cut_connection(interrupted),
                    Poll::Ready(None) => Poll::Ready(None),
                    Poll::Pending => Poll::Pending,
                },
            };
            match polled {
                Poll::Ready(Some(Ok(()))) => unsaid += usize::from(self.buffer.len() == before),
                Poll::Ready(Some(Err(unwritable))) => {
                    self.buffer.truncate(before);
                    self.fail(&unwritable)?;
                    break;
                }
                Poll::Ready(None) => self.events = None,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Writes an event with its id, after the events that the client needs first.
    fn write_event(&mut self, event: &Event, id: Option<&str>) -> Result<(), UnencodableEvent> {
        for end in self.unended.ends_before(event) {
            self.encoder.encode(&end, &mut self.buffer)?;
            self.sent.event(&end);
        }
        if let Some(id) = id {
            self.encoder.identify(id, &mut self.buffer);
        }
        self.encoder.encode(event, &mut self.buffer)?;
        self.sent.event(event);
        self.unended.track(event);
        Ok(())
    }

    /// Returns the next shared chunk. The connection takes one at a time, as the client reads.
    fn next_shared(&mut self) -> Option<Bytes> {
        let text = self.shared.front_mut()?;
        let chunk = text.split_to(CHUNK.min(text.len()));
        if text.is_empty() {
            self.shared.pop_front();
        }
        Some(chunk)
    }

    /// Cuts the connection after the events that are ready, so that the client does not take this for a regular end.
    fn cut_connection(&mut self, interrupted: StoreReadFailure) -> Result<(), BrokenStream> {
        if self.buffer.is_empty() {
            return Err(interrupted.into());
        }
        let cut = futures_util::stream::once(std::future::ready(Err(interrupted)));
        self.events = Some(BodySource::Thread(cut.boxed()));
        Ok(())
    }

    /// Ends the run with an error instead of an event that cannot be sent: earlier events are not lost, and the client learns the
    /// reason.
    fn fail(&mut self, unwritable: &UnencodableEvent) -> Result<(), BrokenStream> {
        tracing::warn!(unwritable = %quoted(unwritable), "run failed");
        self.events = None;
        let error = RunErrorEvent::new(quoted(unwritable).to_string()).with_code("unwritable_event");
        Ok(self.write_event(&error.into(), None)?)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenStream>>> {
        if self.events.is_none() && self.shared.is_empty() {
            return Poll::Ready(None);
        }
        if let Err(broken) = self.fill(cx) {
            return Poll::Ready(Some(Err(broken)));
        }
        if !self.buffer.is_empty() {
            self.heartbeat.resume(0, &mut self.buffer);
            let chunk = if self.buffer.len() >= LARGE {
                Bytes::from(std::mem::take(&mut self.buffer))
            } else {
                let chunk = Bytes::copy_from_slice(&self.buffer);
                self.buffer.clear();
                chunk
            };
            if let Some(quiet) = &mut self.quiet {
                quiet.restart();
            }
            return Poll::Ready(Some(Ok(chunk)));
        }
        if let Some(chunk) = self.next_shared() {
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

impl Stream for RunResponseBody {
    type Item = Result<Bytes, BrokenStream>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let span = self.span.clone();
        let _entered = span.enter();
        let polled = self.poll(cx);
        if let Poll::Ready(Some(Err(broken))) = &polled {
            tracing::warn!(broken = %quoted(broken), "run dropped");
            self.events = None;
        }
        if let Poll::Ready(Some(Ok(chunk))) = &polled {
            self.sent.bytes(chunk.len());
        }
        polled
    }
}

impl Drop for RunResponseBody {
    fn drop(&mut self) {
        let _entered = self.span.enter();
        if self.events.take().is_some() {
            tracing::debug!("the client left before the run ended");
        }
    }
}

/// The reason why a stream ends without a terminal event. The connection is then cut, so that the client cannot take this for a
/// regular end (AG-UI 1.0, section "HTTP exchange": truncated).
#[derive(Debug, thiserror::Error)]
pub(super) enum BrokenStream {
    #[error(transparent)]
    Unwritable(#[from] UnencodableEvent),
    #[error(transparent)]
    Interrupted(#[from] StoreReadFailure),
}

/// The time since the last bytes.
struct QuietTimer {
    limit: Duration,
    timer: Pin<Box<Sleep>>,
}

impl QuietTimer {
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
