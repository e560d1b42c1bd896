//! A server's limits.

use std::time::Duration;

/// A server's limits: concurrency, sizes, memory and timeouts.
///
/// Each has a default and a defined response beyond it. [`Server::limits`](crate::Server::limits) sets them.
///
/// | limit | default | beyond it |
/// |---|---|---|
/// | [`connections`](Self::connections) | 1,024 | the connection that has waited longest without a request is closed; if all have one, status 503, code `too_many_connections` |
/// | [`streams`](Self::streams) on one HTTP/2 connection | 100 | REFUSED_STREAM (RFC 9113, section 5.1.2); on a WebSocket status 429, code `too_many_streams` |
/// | [`runs`](Self::runs) | 1,024 | status 503, code `server_busy`, `Retry-After` |
/// | [`runs_per_client`](Self::runs_per_client) | a quarter of `runs`, at least 16 | status 429, code `client_busy`, `Retry-After` |
/// | [`runs_per_thread`](Self::runs_per_thread) | 4 | after a second, status 409, code `thread_busy` |
/// | [`runs_per_identity`](Self::runs_per_identity) | 16, if the server knows [identities](crate::Server::identity) | after a second, status 429, code `identity_busy`, `Retry-After` |
/// | [`header_size`](Self::header_size) | 32 KiB | status 431 |
/// | [`body_size`](Self::body_size) | 10 MiB | status 413, code `body_too_large` |
/// | [`total_body_size`](Self::total_body_size) for all runs together | 256 MiB | status 503, code `server_busy`, `Retry-After` |
/// | [`body_size_per_client`](Self::body_size_per_client) for bodies above 64 KiB | a quarter of `total_body_size` | status 429, code `client_busy`, `Retry-After` |
/// | [`readers_per_client`](Self::readers_per_client) on stored threads | a quarter of `connections`, at least 16 | status 429, code `too_many_readers`, `Retry-After` |
/// | [`readers_per_thread`](Self::readers_per_thread) | 1,024 | the same |
/// | [`reader_memory`](Self::reader_memory) for all readers together | 32 MiB | status 503, code `server_busy`, `Retry-After` |
/// | [`header_timeout`](Self::header_timeout) | 10 s | status 408, code `header_timeout`; a connection that sent nothing is closed |
/// | [`body_timeout`](Self::body_timeout) | 30 s; 1 s more for each 16 KiB that arrives, never more than 30 s ahead | status 408, code `body_timeout` |
/// | [`idle_timeout`](Self::idle_timeout) | 60 s | the connection is closed, with GOAWAY over HTTP/2 |
/// | [`write_timeout`](Self::write_timeout) | 30 s | the run is cancelled and its connection closed, or its HTTP/2 stream reset |
/// | [`run_timeout`](Self::run_timeout) | 10 min | RUN_ERROR, code `run_timeout` |
/// | [`shutdown_delay`](Self::shutdown_delay) | none | the listener is closed |
/// | [`shutdown_grace`](Self::shutdown_grace) | 5 s | RUN_ERROR, code `shutdown` |
///
/// A client that does not read holds about 90 KB in the server until its `write_timeout`, and on Linux and Android 64 KiB in the
/// system; other systems hold as much as their sockets may, which is megabytes for some.
///
/// If a server is [nested](crate::Server::router) into another application, that application owns the connections: only the body
/// and run limits apply there.
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
    pub(in crate::server) connections: usize,
    pub(in crate::server) streams: u32,
    pub(super) runs: usize,
    pub(super) runs_per_client: Option<usize>,
    pub(super) runs_per_thread: usize,
    pub(super) runs_per_identity: usize,
    pub(super) readers_per_client: Option<usize>,
    pub(super) readers_per_thread: usize,
    pub(super) reader_memory: usize,
    pub(in crate::server) header_size: usize,
    pub(in crate::server) body_size: usize,
    pub(super) total_body_size: usize,
    pub(super) body_size_per_client: Option<usize>,
    pub(in crate::server) header_timeout: Option<Duration>,
    pub(in crate::server) body_timeout: Option<Duration>,
    pub(in crate::server) idle_timeout: Option<Duration>,
    pub(in crate::server) write_timeout: Option<Duration>,
    pub(in crate::server) run_timeout: Option<Duration>,
    pub(in crate::server) shutdown_delay: Duration,
    pub(in crate::server) shutdown_grace: Duration,
}

impl Default for Limits {
    /// Returns the limits in the table above.
    fn default() -> Self {
        Self {
            connections: 1024,
            streams: 100,
            runs: 1024,
            runs_per_client: None,
            runs_per_thread: 4,
            runs_per_identity: 16,
            readers_per_client: None,
            readers_per_thread: 1024,
            reader_memory: 32 * 1024 * 1024,
            header_size: 32 * 1024,
            body_size: 10 * 1024 * 1024,
            total_body_size: 256 * 1024 * 1024,
            body_size_per_client: None,
            header_timeout: Some(Duration::from_secs(10)),
            body_timeout: Some(Duration::from_secs(30)),
            idle_timeout: Some(Duration::from_secs(60)),
            write_timeout: Some(Duration::from_secs(30)),
            run_timeout: Some(Duration::from_secs(600)),
            shutdown_delay: Duration::ZERO,
            shutdown_grace: Duration::from_secs(5),
        }
    }
}

impl Limits {
    /// Sets the maximum number of open connections; 1,024 by default, at least 1.
    ///
    /// At the limit, a new connection replaces the one that has waited longest without a complete request. If every connection has
    /// one, the new one gets status 503 and is closed. The same happens when the system has no descriptors left, so the limit need
    /// not be below the system's.
    pub fn connections(mut self, most: usize) -> Self {
        self.connections = most.max(1);
        self
    }

    /// Sets the maximum number of open requests on one HTTP/2 connection (RFC 9113, `SETTINGS_MAX_CONCURRENT_STREAMS`), and runs
    /// on a WebSocket; 100 by default, at least 1. A proxy that sends many clients' requests over one connection may need more.
    pub fn streams(mut self, most: u32) -> Self {
        self.streams = most.max(1);
        self
    }

    /// Sets the maximum number of concurrent runs, all agents together; 1,024 by default.
    ///
    /// A further run is refused before its body is parsed, with status 503, code `server_busy` and `Retry-After`.
    pub fn runs(mut self, most: usize) -> Self {
        self.runs = most;
        self
    }

    /// Sets the maximum number of responses by which one client reads [stored threads](crate::Server::threads) concurrently; a
    /// quarter of [`connections`](Self::connections) by default, and at least 16.
    ///
    /// A reader is a request to connect to a thread, for a thread's events, for an ongoing run's events, or for an A2A task, until
    /// its response is read. A reader takes no run slot. The client is counted as for [`runs_per_client`](Self::runs_per_client).
    /// A further reader is refused with status 429, code `too_many_readers` and `Retry-After`.
    pub fn readers_per_client(mut self, most: usize) -> Self {
        self.readers_per_client = Some(most);
        self
    }

    /// Sets the maximum number of responses by which all clients read one [stored thread](crate::Server::threads) concurrently;
    /// 1,024 by default. A further one is refused as by [`readers_per_client`](Self::readers_per_client).
    pub fn readers_per_thread(mut self, most: usize) -> Self {
        self.readers_per_thread = most;
        self
    }

    /// Sets the maximum memory for copies of [stored threads](crate::Server::threads), all readers together, in bytes; 32 MiB by
    /// default.
    ///
    /// Readers at the same position in a thread share one copy, and hold stored history only as they take it. A new reader whose
    /// copy does not fit is refused with status 503, code `server_busy` and `Retry-After`. A reader with an open stream waits
    /// until others have left room, and is cut after 30 s: its client comes back with its cursor. Binary transport and legacy
    /// clients have copies of their own, and are cut at once if all copies together take more than half of the bytes. One thread
    /// at a time can be larger than the limit.
    pub fn reader_memory(mut self, bytes: usize) -> Self {
        self.reader_memory = bytes;
        self
    }

    /// Sets the maximum number of concurrent runs for one client; a quarter of [`runs`](Self::runs) by default, and at least
    /// 16. So one client does not take all slots.
    ///
    /// A client is an [identity](crate::Server::identity) or, without one, an address; for IPv6, a 64-bit network. A further run
    /// is refused with status 429, code `client_busy` and `Retry-After`. Behind a proxy all clients have the proxy's address:
    /// there, raise this limit to [`runs`](Self::runs), or give the server identities. A [nested](crate::Server::router) server
    /// knows addresses if its application adds `ConnectInfo<SocketAddr>`.
    pub fn runs_per_client(mut self, most: usize) -> Self {
        self.runs_per_client = Some(most);
        self
    }

    /// Sets the maximum number of one agent's concurrent runs for one `threadId` (and one [identity](crate::Server::identity)); 4
    /// by default, because a client's last connection may be lost without the server's knowledge.
    ///
    /// Set 1 if two runs on a thread would disturb each other. A further run waits a second for a slot, because clients abort a
    /// run and start the next at once; then the run is refused with status 409 and code `thread_busy`.
    pub fn runs_per_thread(mut self, most: usize) -> Self {
        self.runs_per_thread = most;
        self
    }

    /// Sets the maximum number of concurrent runs for one [identity](crate::Server::identity); 16 by default. No effect without
    /// identities.
    ///
    /// A further run waits a second for a slot; then the run is refused with status 429, code `identity_busy` and `Retry-After`. A
    /// stored run that [goes on](macro@crate::agent#restart) after its server was lost counts too, and goes on when a slot is
    /// free.
    pub fn runs_per_identity(mut self, most: usize) -> Self {
        self.runs_per_identity = most;
        self
    }

    /// Sets the maximum length of a request line with its headers, in bytes; 32 KiB by default, at least 8 KiB. A longer one gets
    /// status 431.
    pub fn header_size(mut self, bytes: usize) -> Self {
        // hyper needs at least this size.
        self.header_size = bytes.clamp(8 * 1024, 16 * 1024 * 1024);
        self
    }

    /// Sets the maximum body length, in bytes; 10 MiB by default, because images travel inside the input. A longer body gets
    /// status 413 and code `body_too_large`.
    pub fn body_size(mut self, bytes: usize) -> Self {
        self.body_size = bytes;
        self
    }

    /// Sets the maximum bytes in all bodies together that are being read, or whose runs go on; 256 MiB by default, and at least
    /// [`body_size`](Self::body_size). The server uses at most 8 times this size, so the limit also bounds the inputs' memory.
    ///
    /// A body takes its bytes as they arrive, whatever length the client announces, and returns them when its run ends. Untyped
    /// values, such as a `serde_json::Value`, may need more memory than 8 body lengths: then an eighth of the excess is taken too,
    /// for `forwardedProps` and the like when the body is read, for the state and tool results when the agent reads them. (The
    /// agent's own copies are not counted.)
    ///
    /// A body that does not fit is refused with status 503, code `server_busy` and `Retry-After`; a state, with the code
    /// `state_too_large`. A quarter is reserved for bodies up to 64 KiB, so that a few large ones do not keep out all other
    /// clients.
    pub fn total_body_size(mut self, bytes: usize) -> Self {
        self.total_body_size = bytes;
        self
    }

    /// Sets the maximum bytes in one client's bodies above 64 KiB together; a quarter of
    /// [`total_body_size`](Self::total_body_size) by default, and at least [`body_size`](Self::body_size). So a few clients that
    /// send slowly do not take all space for large bodies.
    ///
    /// A client is an [identity](crate::Server::identity) or, without one, an address; for IPv6, a 64-bit network. A further body
    /// is refused with status 429, code `client_busy` and `Retry-After`. Behind a proxy all clients have the proxy's address:
    /// there, raise this limit to the total, or give the server identities. A [nested](crate::Server::router) server knows
    /// addresses if its application adds `ConnectInfo<SocketAddr>`.
    pub fn body_size_per_client(mut self, bytes: usize) -> Self {
        self.body_size_per_client = Some(bytes);
        self
    }

    /// Sets the time that a client has for a request head, from the connection's opening or the head's first byte; 10 s by
    /// default, `None` for no limit. An incomplete head then gets status 408 over HTTP/1, and the connection is closed.
    ///
    /// A head that begins while the previous response is still being sent has this time from the end of that response. If the
    /// head's first bytes came in one piece with the end of the previous request, they are not noticed: until more arrive, such a
    /// head has the [`idle_timeout`](Self::idle_timeout) from the end of the response, and its connection is closed without a
    /// response.
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

    /// Sets the time that a client has for a request body; 30 s by default, `None` for no limit. An incomplete body then gets
    /// status 408 and code `body_timeout`.
    ///
    /// Each 16 KiB that arrive add a second, but the time left never exceeds the limit: a stalled body has at most this time after
    /// its last byte.
    pub fn body_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.body_timeout = time.into();
        self
    }

    /// Sets the time that a connection stays open between two requests; 60 s by default, `None` for no limit.
    pub fn idle_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.idle_timeout = time.into();
        self
    }

    /// Sets the time that a client may leave bytes unread; 30 s by default, `None` for no limit. Then its run is cancelled.
    ///
    /// Until then the run is paused: at most about 64 KiB wait for the client, besides the system's buffers. A client that reads
    /// slowly is not affected: over HTTP/1 if some bytes are read in this time, over HTTP/2 if each stream takes 16 KiB in this
    /// time. HTTP/2 clients must also acknowledge a PING within half this time.
    pub fn write_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.write_timeout = time.into();
        self
    }

    /// Sets the maximum run time; 10 minutes by default, `None` for no limit. A longer run ends with RUN_ERROR and code
    /// `run_timeout`; its agent is dropped at its `.await`.
    pub fn run_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.run_timeout = time.into();
        self
    }

    /// Sets the time for which the server still accepts requests after a shutdown request; none by default. Meanwhile the server
    /// is [not ready](crate::Server::health), so that load balancers send their requests elsewhere: set more than the interval
    /// between two probes.
    pub fn shutdown_delay(mut self, delay: Duration) -> Self {
        self.shutdown_delay = delay;
        self
    }

    /// Sets the time that runs have after the server stopped accepting requests; 5 s by default. Then they end with RUN_ERROR and
    /// code `shutdown`, and their connections are closed.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.shutdown_grace = grace;
        self
    }
}
