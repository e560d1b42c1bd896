//! A server's metrics; the [`Server`](super::Server) documentation has the table.

use std::time::Instant;

use metrics::{Counter, counter, gauge, histogram};

use crate::protocol::{Event, EventType};

const CONNECTIONS: &str = "agui_connections_open";
const RUNS: &str = "agui_runs_open";
const BODY_BYTES: &str = "agui_body_bytes";
const READERS: &str = "agui_readers_open";
const READER_BYTES: &str = "agui_reader_bytes";
const REFUSED: &str = "agui_requests_refused_total";
const TIMEOUTS: &str = "agui_timeouts_total";
const EVICTED: &str = "agui_connections_evicted_total";
const ACCEPT_ERRORS: &str = "agui_accept_errors_total";
const QUEUE_WAIT: &str = "agui_queue_wait_seconds";
const EVENTS: &str = "agui_events_total";
const SENT_BYTES: &str = "agui_sent_bytes_total";
#[cfg(feature = "webhooks")]
const WEBHOOKS: &str = "agui_webhooks_total";

/// The exceeded time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeoutKind {
    Header,
    Body,
    Idle,
    Write,
    Run,
    Shutdown,
}

impl TimeoutKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Body => "body",
            Self::Idle => "idle",
            Self::Write => "write",
            Self::Run => "run",
            Self::Shutdown => "shutdown",
        }
    }
}

pub(super) fn connection_opened() {
    gauge!(CONNECTIONS).increment(1);
}

pub(super) fn connection_closed() {
    gauge!(CONNECTIONS).decrement(1);
}

pub(super) fn run_started() {
    gauge!(RUNS).increment(1);
}

pub(super) fn run_ended() {
    gauge!(RUNS).decrement(1);
}

pub(super) fn body_grew(bytes: usize) {
    gauge!(BODY_BYTES).increment(bytes as f64);
}

pub(super) fn body_released(bytes: usize) {
    gauge!(BODY_BYTES).decrement(bytes as f64);
}

pub(super) fn reader_began() {
    gauge!(READERS).increment(1);
}

pub(super) fn reader_ended() {
    gauge!(READERS).decrement(1);
}

pub(super) fn copies_grew(bytes: usize) {
    gauge!(READER_BYTES).increment(bytes as f64);
}

pub(super) fn copies_released(bytes: usize) {
    gauge!(READER_BYTES).decrement(bytes as f64);
}

pub(super) fn refused(code: &str) {
    counter!(REFUSED, "code" => code.to_owned()).increment(1);
}

pub(super) fn timed_out(timeout: TimeoutKind) {
    counter!(TIMEOUTS, "kind" => timeout.name()).increment(1);
}

pub(super) fn evicted() {
    counter!(EVICTED).increment(1);
}

/// Counts a webhook attempt by its end.
#[cfg(feature = "webhooks")]
pub(super) fn webhook(end: &'static str) {
    counter!(WEBHOOKS, "end" => end).increment(1);
}

pub(super) fn accept_failed() {
    counter!(ACCEPT_ERRORS).increment(1);
}

/// A queue in which a run waits before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunQueue {
    /// Waits for a slot on its thread.
    Thread,
    /// Waits for a slot of its identity.
    Identity,
    /// Waits until the previous run on a stored thread ends.
    BusyThread,
}

/// A request in a queue. Dropping the value leaves the queue: the run starts, is refused, or its client left.
pub(super) struct QueueWait {
    queue: RunQueue,
    begun: Instant,
}

impl QueueWait {
    pub(super) fn begin(queue: RunQueue) -> Self {
        Self { queue, begun: Instant::now() }
    }
}

impl Drop for QueueWait {
    fn drop(&mut self) {
        let queue = match self.queue {
            RunQueue::Thread => "thread",
            RunQueue::Identity => "identity",
            RunQueue::BusyThread => "busy_thread",
        };
        histogram!(QUEUE_WAIT, "queue" => queue).record(self.begun.elapsed());
    }
}

/// Counters for events and bytes that clients are sent. Looked up once, because events are frequent; so a recorder must be
/// installed before the server is built.
pub(super) struct SentCounters {
    /// By event type number.
    events: Vec<Counter>,
    bytes: Counter,
}

impl SentCounters {
    pub(super) fn new() -> Self {
        let of_type = |kind: &EventType| counter!(EVENTS, "type" => kind.as_str());
        Self { events: EventType::ALL.iter().map(of_type).collect(), bytes: counter!(SENT_BYTES) }
    }

    pub(super) fn event(&self, event: &Event) {
        self.of_type(event.event_type());
    }

    /// Counts an event that is sent as its JSON text, as this crate writes it.
    pub(super) fn count_text(&self, text: &[u8]) {
        let rest = text.strip_prefix(br#"{"type":""#).unwrap_or_default();
        let name = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
        let found = EventType::ALL.iter().copied().find(|kind| kind.as_str().as_bytes() == name);
        if let Some(kind) = found {
            self.of_type(kind);
        }
    }

    /// Counts events that are sent as shared text.
    pub(super) fn count_types(&self, kinds: &[EventType]) {
        for kind in kinds {
            self.of_type(*kind);
        }
    }

    pub(super) fn bytes(&self, bytes: usize) {
        self.bytes.increment(bytes as u64);
    }

    fn of_type(&self, kind: EventType) {
        if let Some(counter) = self.events.get(kind as usize) {
            counter.increment(1);
        }
    }
}
