//! A connection that became a WebSocket: its limits stay, and its runs count as requests.

use std::fmt;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::Version;
use tokio::sync::watch;
use tokio::time::timeout;

use super::connections::{ConnectionEntry, OngoingRequest};
use super::drive::{ConnectionEvent, ShutdownPhase, next};
use super::state::ConnectionTimeouts;
use crate::server::limits::server_limits::Limits;
use crate::server::metrics;
use crate::server::metrics::TimeoutKind;

/// The time that a client has to respond to the close frame.
const GOODBYE: Duration = Duration::from_secs(1);

/// The reason to close a socket soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum SocketCloseReason {
    Stay,
    /// The socket had no run for the idle timeout.
    Idle,
    /// The server ends: no run begins, and the socket is closed after the last run.
    Closing,
}

/// A connection, in the extensions of its upgrade request.
#[derive(Clone)]
pub(in crate::server) struct UpgradedConnection {
    member: Arc<ConnectionEntry>,
    /// `None` if another application owns the connection and ends it.
    ending: Option<watch::Receiver<ShutdownPhase>>,
}

/// A run that counts as a request on its connection.
pub(in crate::server) struct OngoingRun(
    #[expect(dead_code, reason = "it counts until it is dropped")] OngoingRequest,
);

impl UpgradedConnection {
    pub(super) fn new(member: &Arc<ConnectionEntry>, ending: &watch::Receiver<ShutdownPhase>) -> Self {
        Self { member: Arc::clone(member), ending: Some(ending.clone()) }
    }

    /// Returns the handle for a connection that another application owns.
    pub(in crate::server) fn standalone(limits: &Limits) -> Self {
        Self { member: Arc::new(ConnectionEntry::standalone(ConnectionTimeouts::new(limits))), ending: None }
    }

    /// Counts a run.
    pub(in crate::server) fn begin_run(&self) -> OngoingRun {
        let ongoing = OngoingRequest::new(&self.member, Version::HTTP_11);
        ongoing.complete();
        OngoingRun(ongoing)
    }

    /// Records a write's progress, which finds clients that read nothing. A server's own socket records this too.
    pub(in crate::server) fn note_write(&self, is_blocked: bool) {
        if is_blocked {
            self.member.state.is_blocked();
        } else {
            self.member.state.has_written();
        }
    }

    /// Drives a socket until the client ends it, a timeout passes, another connection takes its slot, or the server ends.
    pub(in crate::server) async fn drive<E: fmt::Display>(
        mut self,
        leave: watch::Sender<SocketCloseReason>,
        socket: impl Future<Output = Result<(), E>>,
    ) {
        let state = Arc::clone(&self.member.state);
        state.speaks_websocket();
        let mut socket = pin!(socket);
        let mut is_closing = false;
        loop {
            let event = tokio::select! {
                biased;
                event = next(socket.as_mut(), &state) => event,
                cut = ending(&mut self.ending, is_closing) => {
                    if cut {
                        return;
                    }
                    ConnectionEvent::Closing
                }
            };
            match event {
                ConnectionEvent::Ended | ConnectionEvent::Evicted => return,
                ConnectionEvent::Closing => {
                    is_closing = true;
                    leave.send_replace(SocketCloseReason::Closing);
                }
                ConnectionEvent::Late(late) => {
                    metrics::timed_out(late);
                    tracing::debug!(kind = late.name(), "connection closed");
                    if late == TimeoutKind::Idle {
                        leave.send_replace(SocketCloseReason::Idle);
                        // The client may not answer.
                        let _ = timeout(GOODBYE, socket).await;
                    }
                    return;
                }
            }
        }
    }
}

/// Resolves at the next shutdown phase: true if connections are cut.
async fn ending(seen: &mut Option<watch::Receiver<ShutdownPhase>>, is_closing: bool) -> bool {
    let Some(seen) = seen else { return pending().await };
    let news = |ending: &ShutdownPhase| {
        *ending == ShutdownPhase::Cut || (*ending == ShutdownPhase::Closing && !is_closing)
    };
    seen.wait_for(news).await.map_or(true, |ending| *ending == ShutdownPhase::Cut)
}
