//! Serialises messages and calls, for clients that cannot read two at once.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use futures_util::stream::FusedStream;

use crate::protocol::{Event, EventEffect, SpanKind};

/// A stream that sends one span after the other, for clients that accept one open span at a time.
///
/// Up to version 0.0.36 the official client refuses everything except an open span's own events (and RAW) until that span ends;
/// interleaved messages and calls end the whole run there. This adapter passes the first opened span through, and holds back the
/// rest, to be released in the order of first events:
///
/// ```text
/// from the run   START a  START b  b1  a1  STATE_DELTA  END b  END a
/// to the client  START a               a1                      END a  START b b1 END b  STATE_DELTA
/// ```
///
/// Spans here are text messages, tool calls and reasoning messages; every other event counts as a span by itself. No event is lost
/// or changed, each span keeps its order, and so do all events outside spans. Waiting events stay in memory until the spans before
/// them end.
///
/// A run for a [`Peer::Legacy`](crate::Peer::Legacy) client ends every span before RUN_ERROR. In other streams a span that is cut
/// off has no END; such spans come last, before RUN_ERROR.
///
/// Chunks count as events outside spans: expand them first.
///
/// ```
/// use agui_runtime::events::SerialStream;
/// use agui_runtime::{DynAgent, RunOptions, protocol::RunAgentInput};
/// use futures::StreamExt;
/// use std::sync::Arc;
///
/// # async fn example(agent: Arc<dyn DynAgent>, input: RunAgentInput) {
/// let mut events = SerialStream::new(agent.start(input, RunOptions::default()));
/// while let Some(event) = events.next().await {
///     println!("{}", event.event_type());
/// }
/// # }
/// ```
#[must_use = "streams do nothing unless polled"]
pub struct SerialStream<S> {
    /// `None` after the stream's end.
    events: Option<S>,
    queue: SerialQueue,
}

impl<S: Stream<Item = Event>> SerialStream<S> {
    /// Wraps a stream.
    ///
    /// ```
    /// use agui_runtime::events::SerialStream;
    /// use agui_runtime::protocol::{Event, EventType, TextMessageEndEvent, TextMessageStartEvent};
    /// use futures::{StreamExt, executor::block_on, stream};
    ///
    /// let interleaved: [Event; 4] = [
    ///     TextMessageStartEvent::new("a").into(),
    ///     TextMessageStartEvent::new("b").into(),
    ///     TextMessageEndEvent::new("b").into(),
    ///     TextMessageEndEvent::new("a").into(),
    /// ];
    /// let events: Vec<_> = block_on(SerialStream::new(stream::iter(interleaved)).collect());
    /// let ids: Vec<_> = events.iter().filter_map(Event::scope_id).collect();
    /// assert_eq!(ids, ["a", "a", "b", "b"]);
    /// ```
    pub fn new(events: S) -> Self {
        Self { events: Some(events), queue: SerialQueue::default() }
    }
}

impl<S: Stream<Item = Event> + Unpin> Stream for SerialStream<S> {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        loop {
            if let Some(event) = self.queue.ready.pop_front() {
                return Poll::Ready(Some(event));
            }
            let Some(events) = &mut self.events else { return Poll::Ready(None) };
            match ready!(Pin::new(events).poll_next(cx)) {
                Some(event) => self.queue.push(event),
                None => {
                    self.events = None;
                    self.queue.flush();
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let held = self.queue.held();
        match self.events.as_ref().map(Stream::size_hint) {
            Some((low, high)) => (low.saturating_add(held), high.and_then(|high| high.checked_add(held))),
            None => (held, Some(held)),
        }
    }
}

impl<S: Stream<Item = Event> + Unpin> FusedStream for SerialStream<S> {
    fn is_terminated(&self) -> bool {
        self.events.is_none() && self.queue.ready.is_empty()
    }
}

impl<S> fmt::Debug for SerialStream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serial").field("held", &self.queue.held()).finish_non_exhaustive()
    }
}

/// The next events, and the waiting spans. Each event is moved twice, however many spans are open.
#[derive(Default)]
struct SerialQueue {
    ready: VecDeque<Event>,
    /// Spans in the order of first events. Events of the first span pass at once.
    items: VecDeque<SerialSpan>,
    /// The first span's number.
    first: u64,
    /// Open spans' numbers.
    open: HashMap<(SpanKind, String), u64>,
    waiting: usize,
}

/// An open span with waiting events, or a single event.
#[derive(Default)]
struct SerialSpan {
    events: Vec<Event>,
    ended: bool,
}

impl SerialQueue {
    fn held(&self) -> usize {
        self.waiting + self.ready.len()
    }

    fn push(&mut self, event: Event) {
        match (event.event_type().effect(), event.scope_id()) {
            (EventEffect::FinishRun | EventEffect::FailRun, _) => {
                self.flush();
                self.ready.push_back(event);
            }
            (EventEffect::Open(scope), Some(id)) if is_exclusive(scope) => {
                let key = (scope, id.to_owned());
                if let Some(&number) = self.open.get(&key) {
                    // Opened twice, which is illegal, but this adapter does not judge. The event stays with the first.
                    return self.add(number, event, false);
                }
                let number = self.new_item(false);
                self.open.insert(key, number);
                self.add(number, event, false);
            }
            (effect @ (EventEffect::Within(scope) | EventEffect::Close(scope)), Some(id))
                if is_exclusive(scope) =>
            {
                let key = (scope, id.to_owned());
                let ends = matches!(effect, EventEffect::Close(_));
                let number = if ends { self.open.remove(&key) } else { self.open.get(&key).copied() };
                match number {
                    Some(number) => self.add(number, event, ends),
                    None => self.alone(event),
                }
            }
            _ => self.alone(event),
        }
    }

    /// Adds an event outside open spans.
    fn alone(&mut self, event: Event) {
        if self.items.is_empty() {
            self.ready.push_back(event);
        } else {
            let number = self.new_item(true);
            self.add(number, event, true);
        }
    }

    fn new_item(&mut self, ended: bool) -> u64 {
        let number = self.first + self.items.len() as u64;
        self.items.push_back(SerialSpan { events: Vec::new(), ended });
        number
    }

    fn add(&mut self, number: u64, event: Event, ends: bool) {
        if number == self.first {
            self.ready.push_back(event);
            if ends {
                self.items.pop_front();
                self.first += 1;
                self.release();
            }
        } else if let Some(item) =
            usize::try_from(number - self.first).ok().and_then(|index| self.items.get_mut(index))
        {
            self.waiting += 1;
            item.events.push(event);
            item.ended |= ends;
        }
    }

    /// Releases the events that waited for the first span, up to the next open span.
    fn release(&mut self) {
        while let Some(item) = self.items.front_mut() {
            self.waiting -= item.events.len();
            self.ready.extend(item.events.drain(..));
            if !item.ended {
                return;
            }
            self.items.pop_front();
            self.first += 1;
        }
    }

    /// Releases all events, because the run is over. Spans without END come last, so that they block no others.
    fn flush(&mut self) {
        let items = std::mem::take(&mut self.items);
        self.first += items.len() as u64;
        self.open.clear();
        self.waiting = 0;
        let (ended, cut_off): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.ended);
        self.ready.extend(ended.into_iter().chain(cut_off).flat_map(|item| item.events));
    }
}

/// True if no other span may open during one.
fn is_exclusive(scope: SpanKind) -> bool {
    match scope {
        SpanKind::Text | SpanKind::ToolCall | SpanKind::ReasoningMessage => true,
        SpanKind::Step | SpanKind::ReasoningSpan | SpanKind::Activity | SpanKind::Subagent => false,
    }
}
