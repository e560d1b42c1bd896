//! The loop that accepts connections.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use super::connections::ConnectionTable;
use super::drive::ConnectionDriver;
use super::refuse::ConnectionRefuser;
use super::state::ConnectionTimeouts;
use crate::server::metrics;

/// Connections that are closed at once when the system accepts no more: the ones in its queue may come from the same attacker.
const GIVE_WAY: usize = 16;

/// Maximum bytes that the system buffers for a client that does not read.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 64 * 1024;

/// Pauses after the system refused to accept: the first while connections are being closed, the second if none could be.
const GAVE_WAY: Duration = Duration::from_millis(1);
const NONE_LEFT: Duration = Duration::from_millis(50);

/// Minimum time between two warnings that the system accepts no connection.
const WARN_AGAIN: Duration = Duration::from_secs(10);

/// Serves a listener's connections until `shutdown` resolves, then closes the listener. Connection tasks may outlive the call.
pub(in crate::server) async fn accept(
    listener: TcpListener,
    driver: Arc<ConnectionDriver>,
    shutdown: impl Future<Output = ()>,
) {
    let connections = ConnectionTable::new(ConnectionTimeouts::new(&driver.limits));
    let refuser = ConnectionRefuser::new();
    let mut shutdown = pin!(shutdown);
    let mut warned = None;
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, address)) => {
                enter(stream, address, &connections, &driver, &refuser);
            }
            Err(error) if concerns_one_connection(&error) => metrics::accept_failed(),
            Err(error) => {
                metrics::accept_failed();
                // One warning in a while, because a warning per attempt would fill the disk.
                if warned.is_none_or(|last: Instant| last.elapsed() >= WARN_AGAIN) {
                    warned = Some(Instant::now());
                    tracing::warn!(%error, "no connection could be accepted: those waiting longest are closed");
                }
                let pause = if connections.evict(GIVE_WAY) { GAVE_WAY } else { NONE_LEFT };
                tokio::select! {
                    () = &mut shutdown => return,
                    () = sleep(pause) => {}
                }
            }
        }
    }
}

fn enter(
    stream: TcpStream,
    address: SocketAddr,
    connections: &Arc<ConnectionTable>,
    driver: &Arc<ConnectionDriver>,
    refuser: &ConnectionRefuser,
) {
    // Every event should be sent at once, however small.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays slow");
    }
    limit_unsent(&stream);
    match connections.enter(driver.limits.connections) {
        Some(member) => drop(tokio::spawn(Arc::clone(driver).drive(stream, address, member))),
        None => refuser.refuse(stream),
    }
}

/// Limits the unsent bytes that the system holds for a client that does not read; the system's default is some megabytes. Bytes in
/// flight to a reading client do not count, so the throughput stays the same.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn limit_unsent(stream: &TcpStream) {
    if let Err(error) = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(%error, "a connection may hold many unsent bytes");
    }
}

/// Other systems have no such limit.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn limit_unsent(_: &TcpStream) {}

/// Returns true if an accept error concerns only one incoming connection, and not the next ones.
fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}
