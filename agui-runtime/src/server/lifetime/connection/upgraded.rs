//! A connection that became a WebSocket: its limits stay, and its runs count as requests.

use std::fmt;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::Version;
use tokio::sync::watch;
use tokio::time::timeout;

use super::connections::{Member, Ongoing};
use super::drive::{Ending, Event, next};
use super::state::Times;
use crate::server::limits::server_limits::Limits;
use crate::server::metrics;
use crate::server::metrics::Timeout;

/// The time that a client has to respond to the close frame.
const GOODBYE: Duration = Duration::from_secs(1);

/// The reason to close a socket soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Leave {
    Stay,
    /// The socket had no run for the idle timeout.
    Idle,
    /// The server ends: no run begins, and the socket is closed after the last run.
    Closing,
}

/// A connection, in the extensions of its upgrade request.
#[derive(Clone)]
pub(in crate::server) struct Upgraded {
    member: Arc<Member>,
    /// `None` if another application owns the connection and ends it.
    ending: Option<watch::Receiver<Ending>>,
}

/// A run that counts as a request on its connection.
pub(in crate::server) struct OngoingRun(
    #[expect(dead_code, reason = "it counts until it is dropped")] Ongoing,
);

impl Upgraded {
    pub(super) fn new(member: &Arc<Member>, ending: &watch::Receiver<Ending>) -> Self {
        Self { member: Arc::clone(member), ending: Some(ending.clone()) }
    }

    /// Returns the handle for a connection that another application owns.
    pub(in crate::server) fn alone(limits: &Limits) -> Self {
        Self { member: Arc::new(Member::alone(Times::new(limits))), ending: None }
    }

    /// Counts a run.
    pub(in crate::server) fn begin_run(&self) -> OngoingRun {
        let ongoing = Ongoing::new(&self.member, Version::HTTP_11);
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
        leave: watch::Sender<Leave>,
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
                    Event::Closing
                }
            };
            match event {
                Event::Ended | Event::Evicted => return,
                Event::Closing => {
                    is_closing = true;
                    leave.send_replace(Leave::Closing);
                }
                Event::Late(late) => {
                    metrics::timed_out(late);
                    tracing::debug!(kind = late.name(), "connection closed");
                    if late == Timeout::Idle {
                        leave.send_replace(Leave::Idle);
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
async fn ending(seen: &mut Option<watch::Receiver<Ending>>, is_closing: bool) -> bool {
    let Some(seen) = seen else { return pending().await };
    let news = |ending: &Ending| *ending == Ending::Cut || (*ending == Ending::Closing && !is_closing);
    seen.wait_for(news).await.map_or(true, |ending| *ending == Ending::Cut)
}
