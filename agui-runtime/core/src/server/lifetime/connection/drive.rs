//! One connection until its end.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::TokioTimer;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::connections::ConnectionEntry;
use super::service::RequestService;
use super::socket::ConnectionSocket;
use super::state::ConnectionState;
use super::streams::StreamSpawner;
use super::version::{HttpBuilders, HttpConnection};
use crate::server::limits::server_limits::Limits;
use crate::server::metrics;
use crate::server::metrics::TimeoutKind;

/// Maximum bytes that wait for the reader of one HTTP/2 stream. Over HTTP/1 this is the maximum head size.
const SEND_BUFFER: usize = 64 * 1024;

/// Request body bytes that a client may send over HTTP/2 ahead of the reader: on one stream, and on all streams of a connection.
const STREAM_WINDOW: u32 = 256 * 1024;
const CONNECTION_WINDOW: u32 = 1024 * 1024;

/// Streams that a client may reset before the server sees them, or make the server reset, before the connection is closed.
const RESETS: usize = 20;
const OWN_RESETS: usize = 100;

/// The time that an HTTP/2 connection has to end after GOAWAY.
const GOAWAY: Duration = Duration::from_secs(1);

/// A server's shutdown phase, as its connections see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum ShutdownPhase {
    /// The server runs.
    Open,
    /// No new requests; those in progress may end.
    Closing,
    /// Connections end at once.
    Cut,
}

/// Serves connections.
pub(in crate::server) struct ConnectionDriver {
    builders: HttpBuilders,
    /// Shared by all requests: cloning a router with state only counts a reference.
    router: TowerToHyperService<Router>,
    pub(super) limits: Limits,
    pub(super) ending: watch::Receiver<ShutdownPhase>,
}

impl ConnectionDriver {
    pub(in crate::server) fn new(
        router: Router,
        limits: Limits,
        ending: watch::Receiver<ShutdownPhase>,
    ) -> Self {
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            // The state of the connection measures the time of heads and the time between requests separately.
            .header_read_timeout(None)
            .max_buf_size(limits.header_size);
        let ping = limits.write_timeout.map(|time| time / 2).filter(|time| !time.is_zero());
        let mut http2 = http2::Builder::new(StreamSpawner { write_timeout: limits.write_timeout });
        http2
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.streams)
            .max_pending_accept_reset_streams(RESETS)
            .max_local_error_reset_streams(OWN_RESETS)
            .max_header_list_size(u32::try_from(limits.header_size).unwrap_or(u32::MAX))
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_send_buf_size(SEND_BUFFER)
            .keep_alive_interval(ping);
        if let Some(ping) = ping {
            http2.keep_alive_timeout(ping);
        }
        let builders = HttpBuilders { http1, http2 };
        Self { builders, router: TowerToHyperService::new(router.with_state(())), limits, ending }
    }

    /// Serves one connection until the client ends it, a timeout passes, another connection takes its slot, or the server ends.
    pub(super) async fn drive(
        self: Arc<Self>,
        stream: TcpStream,
        address: SocketAddr,
        member: ConnectionEntry,
    ) {
        let member = Arc::new(member);
        let state = Arc::clone(&member.state);
        let socket = ConnectionSocket::new(stream, Arc::clone(&member));
        let requests = RequestService {
            router: self.router.clone(),
            address,
            #[cfg(feature = "websocket")]
            ending: self.ending.clone(),
            member,
            header_size: self.limits.header_size,
        };
        let mut ending = self.ending.clone();
        let mut connection = pin!(HttpConnection::new(socket, requests, &self.builders));
        let mut is_closing = false;
        loop {
            let event = tokio::select! {
                biased;
                event = next(connection.as_mut(), &state) => event,
                end = ending.wait_for(|ending| *ending == ShutdownPhase::Cut || (*ending == ShutdownPhase::Closing && !is_closing)) => {
                    match end.map(|end| *end) {
                        Ok(ShutdownPhase::Closing) => ConnectionEvent::Closing,
                        _ => return,
                    }
                }
            };
            match event {
                ConnectionEvent::Ended | ConnectionEvent::Evicted => return,
                ConnectionEvent::Closing => {
                    is_closing = true;
                    connection.as_mut().graceful_shutdown();
                }
                ConnectionEvent::Late(timeout) => {
                    metrics::timed_out(timeout);
                    tracing::debug!(kind = timeout.name(), "connection closed");
                    match timeout {
                        TimeoutKind::Header | TimeoutKind::Idle if state.is_http2() => {
                            connection.as_mut().graceful_shutdown();
                            let _ = tokio::time::timeout(GOAWAY, connection).await;
                        }
                        TimeoutKind::Header if state.refuse_late_head() => {
                            // Its next read writes the answer, and ends it.
                            poll_fn(|cx| {
                                drop(connection.as_mut().poll(cx));
                                Poll::Ready(())
                            })
                            .await;
                        }
                        _ => {}
                    }
                    return;
                }
            }
        }
    }
}

/// The next event on a connection.
pub(super) enum ConnectionEvent {
    Ended,
    Evicted,
    Closing,
    Late(TimeoutKind),
}

/// Polls a connection until it ends or its deadline passes.
pub(super) async fn next<E: std::fmt::Display>(
    mut connection: Pin<&mut impl Future<Output = Result<(), E>>>,
    state: &ConnectionState,
) -> ConnectionEvent {
    let mut timer = pin!(sleep_until(Instant::now()));
    poll_fn(|cx| {
        if let Poll::Ready(ended) = connection.as_mut().poll(cx) {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection failed");
            }
            return Poll::Ready(ConnectionEvent::Ended);
        }
        let deadline = state.deadline(cx);
        if state.is_evicted() {
            return Poll::Ready(ConnectionEvent::Evicted);
        }
        let Some((deadline, timeout)) = deadline else { return Poll::Pending };
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(cx).map(|()| ConnectionEvent::Late(timeout))
    })
    .await
}
