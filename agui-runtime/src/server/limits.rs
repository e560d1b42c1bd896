use std::time::Duration;

/// Limits of a server: how much it does at once, and how long it waits.
///
/// Each has a default, and a request or connection beyond it an answer. [`Server::limits`](crate::Server::limits) sets them.
///
/// | limit | default | beyond it |
/// |---|---|---|
/// | [`connections`](Self::connections) | 1,024 | the connection that has waited longest without a request is closed; if all have one, status 503, code `too_many_connections` |
/// | [`streams`](Self::streams) of one HTTP/2 connection | 100 | REFUSED_STREAM (RFC 9113, section 5.1.2) |
/// | [`runs`](Self::runs) | 1,024 | status 503, code `server_busy`, `Retry-After` |
/// | [`runs_per_thread`](Self::runs_per_thread) | 4 | after a second, status 409, code `thread_busy` |
/// | [`runs_per_identity`](Self::runs_per_identity) | 16, once [identities](crate::Server::identity) are told apart | after a second, status 429, code `identity_busy`, `Retry-After` |
/// | [`header_size`](Self::header_size) | 32 KiB | status 431 |
/// | [`body_size`](Self::body_size) | 10 MiB | status 413, code `body_too_large` |
/// | [`header_timeout`](Self::header_timeout) | 10 s | status 408, code `header_timeout`; a connection that sent nothing is closed |
/// | [`body_timeout`](Self::body_timeout) | 30 s, and 1 s for each 16 KiB | status 408, code `body_timeout` |
/// | [`idle_timeout`](Self::idle_timeout) | 60 s | the connection is closed, with GOAWAY over HTTP/2 |
/// | [`write_timeout`](Self::write_timeout) | 30 s | the run is cancelled and its connection closed, or its HTTP/2 stream reset |
/// | [`run_timeout`](Self::run_timeout) | 10 min | RUN_ERROR, code `run_timeout` |
/// | [`shutdown_grace`](Self::shutdown_grace) | 5 s | RUN_ERROR, code `shutdown` |
///
/// Where a server is [nested](crate::Server::router) into another application, that application owns the connections: of these limits,
/// those of bodies and runs hold there.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::{Limits, Server};
///
/// let limits = Limits::default().runs(200).runs_per_thread(1).run_timeout(Duration::from_secs(120));
/// let server = Server::new().limits(limits);
/// ```
#[derive(Clone, Debug)]
#[must_use = "give the limits to `Server::limits`"]
pub struct Limits {
    pub(super) connections: usize,
    pub(super) streams: u32,
    pub(super) runs: usize,
    pub(super) runs_per_thread: usize,
    pub(super) runs_per_identity: usize,
    pub(super) header_size: usize,
    pub(super) body_size: usize,
    pub(super) header_timeout: Option<Duration>,
    pub(super) body_timeout: Option<Duration>,
    pub(super) idle_timeout: Option<Duration>,
    pub(super) write_timeout: Option<Duration>,
    pub(super) run_timeout: Option<Duration>,
    pub(super) shutdown_grace: Duration,
}

impl Default for Limits {
    /// The limits of the table above.
    fn default() -> Self {
        Self {
            connections: 1024,
            streams: 100,
            runs: 1024,
            runs_per_thread: 4,
            runs_per_identity: 16,
            header_size: 32 * 1024,
            body_size: 10 * 1024 * 1024,
            header_timeout: Some(Duration::from_secs(10)),
            body_timeout: Some(Duration::from_secs(30)),
            idle_timeout: Some(Duration::from_secs(60)),
            write_timeout: Some(Duration::from_secs(30)),
            run_timeout: Some(Duration::from_secs(600)),
            shutdown_grace: Duration::from_secs(5),
        }
    }
}

impl Limits {
    /// The number of open connections; 1,024 by default, at least 1.
    ///
    /// When there are as many, a new connection takes the place of the one that has waited longest without a complete request. If
    /// every connection has one, the new one gets status 503 and is closed. The same happens when the system has no descriptors
    /// left, so the limit need not be below that of the system.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().connections(10_000);
    /// ```
    pub fn connections(mut self, most: usize) -> Self {
        self.connections = most.max(1);
        self
    }

    /// The number of requests one HTTP/2 connection may have open (RFC 9113, `SETTINGS_MAX_CONCURRENT_STREAMS`); 100 by default, at
    /// least 1. A proxy that sends the requests of many clients over one connection may need more.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().streams(1_000);
    /// ```
    pub fn streams(mut self, most: u32) -> Self {
        self.streams = most.max(1);
        self
    }

    /// The number of runs that go on at once, of all agents together; 1,024 by default.
    ///
    /// One more is refused before its body is parsed, with status 503, code `server_busy` and `Retry-After`.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().runs(64);
    /// ```
    pub fn runs(mut self, most: usize) -> Self {
        self.runs = most;
        self
    }

    /// The number of runs that go on at once with one agent for one `threadId` (and one [identity](crate::Server::identity)); 4 by
    /// default. The default allows for clients whose last connection was lost and is not known to be lost yet.
    ///
    /// Say 1 where two runs of a thread would spoil each other's work. One more run waits a second for a place, since clients abort a
    /// run and start the next at once; then it is refused with status 409 and code `thread_busy`.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().runs_per_thread(1);
    /// ```
    pub fn runs_per_thread(mut self, most: usize) -> Self {
        self.runs_per_thread = most;
        self
    }

    /// The number of runs that go on at once for one [identity](crate::Server::identity); 16 by default. Without identities it limits
    /// nothing.
    ///
    /// One more run waits a second for a place; then it is refused with status 429, code `identity_busy` and `Retry-After`.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().runs_per_identity(2);
    /// ```
    pub fn runs_per_identity(mut self, most: usize) -> Self {
        self.runs_per_identity = most;
        self
    }

    /// The longest request line with its headers, in bytes; 32 KiB by default, at least 8 KiB. A longer one gets status 431.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().header_size(16 * 1024);
    /// ```
    pub fn header_size(mut self, bytes: usize) -> Self {
        // Less is more than hyper can work with.
        self.header_size = bytes.clamp(8 * 1024, 16 * 1024 * 1024);
        self
    }

    /// The longest body that is read, in bytes; 10 MiB by default, because images travel inside the input. A longer one gets status
    /// 413 and code `body_too_large`.
    ///
    /// ```
    /// let limits = agui_runtime::Limits::default().body_size(256 * 1024);
    /// ```
    pub fn body_size(mut self, bytes: usize) -> Self {
        self.body_size = bytes;
        self
    }

    /// The time a client has for the head of a request, from the opening of the connection or from the first byte; 10 s by default,
    /// `None` for ever. A head that is not complete then gets status 408 over HTTP/1, and the connection is closed.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().header_timeout(Duration::from_secs(3));
    /// ```
    pub fn header_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.header_timeout = time.into();
        self
    }

    /// The time a client has for the body of a request, and one more second for each 16 KiB that arrived; 30 s by default, `None` for
    /// ever. A body that is not complete then gets status 408 and code `body_timeout`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().body_timeout(Duration::from_secs(10));
    /// ```
    pub fn body_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.body_timeout = time.into();
        self
    }

    /// The time a connection stays open between two requests; 60 s by default, `None` for ever.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().idle_timeout(Duration::from_secs(300));
    /// ```
    pub fn idle_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.idle_timeout = time.into();
        self
    }

    /// The time a client may leave what is sent to it unread; 30 s by default, `None` for ever. Its run is cancelled then.
    ///
    /// Until then the run stands still: at most about 64 KiB wait for the client, besides what the system buffers. A client that reads
    /// slowly is not affected. Clients over HTTP/2 also have to answer a PING within this time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().write_timeout(Duration::from_secs(10));
    /// ```
    pub fn write_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.write_timeout = time.into();
        self
    }

    /// The longest run; 10 minutes by default, `None` for ever. A longer one ends with RUN_ERROR and code `run_timeout`; its agent is
    /// dropped at its `.await`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().run_timeout(Duration::from_secs(3600));
    /// ```
    pub fn run_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.run_timeout = time.into();
        self
    }

    /// The time runs may go on after the server was asked to end; 5 s by default. Then they end with RUN_ERROR and code `shutdown`, and
    /// their connections are closed.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let limits = agui_runtime::Limits::default().shutdown_grace(Duration::from_secs(30));
    /// ```
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.shutdown_grace = grace;
        self
    }
}
