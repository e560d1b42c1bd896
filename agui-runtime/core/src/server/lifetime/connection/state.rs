//! A connection's activity and its deadline.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

use http::Version;
use tokio::time::Instant;

use crate::server::limits::server_limits::Limits;
use crate::server::metrics::TimeoutKind;

/// A connection's timeouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionTimeouts {
    header: Option<Duration>,
    idle: Option<Duration>,
    write: Option<Duration>,
}

impl ConnectionTimeouts {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { header: limits.header_timeout, idle: limits.idle_timeout, write: limits.write_timeout }
    }
}

/// The kind of bytes that a connection writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenBytesKind {
    Http2,
    /// The rest of a response, or a response to a head that is no request.
    Unasked,
    /// An HTTP/1 response.
    Asked,
}

/// State that a connection shares with its socket and requests.
#[derive(Debug)]
pub(super) struct ConnectionState {
    times: ConnectionTimeouts,
    inner: Mutex<ConnectionActivity>,
}

#[derive(Debug)]
struct ConnectionActivity {
    /// Requests whose responses are not complete.
    requests: usize,
    /// The subset whose bodies are complete, or that have a response.
    engaged: usize,
    /// When the last request ended.
    idle: Instant,
    /// When the next request's head began to arrive, or could have.
    head: Option<Instant>,
    /// True if that head began to arrive.
    has_read: bool,
    /// True if the last request's body has arrived, so that further bytes belong to the next request.
    is_complete: bool,
    /// True if the next head began to arrive before the last response ended. HTTP/1 only.
    is_ahead: bool,
    /// The time since which the client reads nothing although bytes wait.
    blocked: Option<Instant>,
    is_http2: bool,
    /// True after an upgrade: bytes between runs begin no head.
    is_websocket: bool,
    /// True if the connection is closed to make room for a new one.
    evicted: bool,
    /// True if the connection must respond that its request head took too long.
    late: bool,
    /// The connection's waker, for a changed deadline.
    waker: Option<Waker>,
}

impl ConnectionState {
    pub(super) fn new(times: ConnectionTimeouts) -> Self {
        let now = Instant::now();
        let inner = ConnectionActivity {
            requests: 0,
            engaged: 0,
            idle: now,
            head: Some(now),
            has_read: false,
            is_complete: false,
            is_ahead: false,
            blocked: None,
            is_http2: false,
            is_websocket: false,
            evicted: false,
            late: false,
            waker: None,
        };
        Self { times, inner: Mutex::new(inner) }
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionActivity> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ---- the socket's end

    /// Records the HTTP/2 preface (RFC 9113, section 3.4): the bytes so far are no request head.
    pub(super) fn speaks_http2(&self) {
        let mut inner = self.lock();
        (inner.is_http2, inner.has_read) = (true, false);
    }

    /// Records that the connection is a WebSocket from now on.
    #[cfg(feature = "websocket")]
    pub(super) fn speaks_websocket(&self) {
        self.lock().is_websocket = true;
    }

    pub(super) fn has_read(&self) {
        let mut inner = self.lock();
        // There, bytes between requests are often PINGs and windows.
        if inner.is_http2 || inner.is_websocket {
            return;
        }
        inner.is_ahead |= inner.requests > 0 && inner.is_complete;
        if inner.requests == 0 && !inner.has_read {
            inner.has_read = true;
            inner.head.get_or_insert_with(Instant::now);
        }
    }

    pub(super) fn has_written(&self) -> WrittenBytesKind {
        let mut inner = self.lock();
        inner.blocked = None;
        match inner.requests {
            _ if inner.is_http2 => WrittenBytesKind::Http2,
            0 if !inner.is_websocket => WrittenBytesKind::Unasked,
            _ => WrittenBytesKind::Asked,
        }
    }

    pub(super) fn is_blocked(&self) {
        self.lock().blocked.get_or_insert_with(Instant::now);
    }

    pub(super) fn is_late(&self) -> bool {
        self.lock().late
    }

    // ---- the requests' end

    pub(super) fn begin(&self, version: Version) {
        let mut inner = self.lock();
        inner.requests += 1;
        inner.head = None;
        inner.has_read = false;
        (inner.is_complete, inner.is_ahead) = (false, false);
        inner.is_http2 = version == Version::HTTP_2;
    }

    /// Records that the last request has arrived completely.
    pub(super) fn complete(&self) {
        self.lock().is_complete = true;
    }

    /// Records that a request is complete or has a response. Returns true for the only such request, so that the connection no
    /// longer waits.
    pub(super) fn engage(&self) -> bool {
        let mut inner = self.lock();
        inner.engaged += 1;
        inner.evicted = false;
        inner.engaged == 1
    }

    /// Records that a response is complete or abandoned. Returns true if the connection waits again.
    pub(super) fn end(&self, was_engaged: bool) -> bool {
        let mut inner = self.lock();
        inner.requests -= 1;
        inner.engaged -= usize::from(was_engaged);
        if inner.requests == 0 {
            inner.idle = Instant::now();
            if std::mem::take(&mut inner.is_ahead) {
                (inner.head, inner.has_read) = (Some(inner.idle), true);
            }
        }
        let waits = was_engaged && inner.engaged == 0;
        let waker = inner.waker.take();
        drop(inner);
        if let Some(waker) = waker {
            waker.wake();
        }
        waits
    }

    // ---- the connection's end

    /// Registers the connection's waker and returns the next deadline. `None` if nothing limits the connection now.
    pub(super) fn deadline(&self, cx: &Context<'_>) -> Option<(Instant, TimeoutKind)> {
        let mut inner = self.lock();
        let is_known = inner.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker()));
        let _old = if is_known { None } else { inner.waker.replace(cx.waker().clone()) };
        let waiting = match inner.head {
            _ if inner.requests > 0 => None,
            Some(since) => deadline_after(since, self.times.header, TimeoutKind::Header),
            None => deadline_after(inner.idle, self.times.idle, TimeoutKind::Idle),
        };
        let blocked =
            inner.blocked.and_then(|since| deadline_after(since, self.times.write, TimeoutKind::Write));
        drop(inner);
        match (waiting, blocked) {
            (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// Makes the socket refuse a late head, if one began to arrive over HTTP/1. Returns true if so.
    pub(super) fn refuse_late_head(&self) -> bool {
        let mut inner = self.lock();
        inner.late = inner.has_read && !inner.is_http2;
        inner.late
    }

    pub(super) fn is_http2(&self) -> bool {
        self.lock().is_http2
    }

    // ---- called by `Connections`

    pub(super) fn evict(&self) {
        let mut inner = self.lock();
        inner.evicted = true;
        let waker = inner.waker.take();
        drop(inner);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    pub(super) fn is_evicted(&self) -> bool {
        self.lock().evicted
    }
}

fn deadline_after(
    since: Instant,
    time: Option<Duration>,
    timeout: TimeoutKind,
) -> Option<(Instant, TimeoutKind)> {
    since.checked_add(time?).map(|deadline| (deadline, timeout))
}
