//! Server shutdown: a signal requests it, runs get a grace period, and the rest is dropped.

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::sync::watch;

/// Resolves when the remaining runs must be dropped; never, if the server is not stopped.
pub(in crate::server) type StopFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Drops every run on a server.
pub(super) struct StopHandle(watch::Sender<bool>);

impl StopHandle {
    pub(in crate::server) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    pub(super) fn subscribe(&self) -> StopSignal {
        StopSignal(self.0.subscribe())
    }

    pub(super) fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Makes a stop future for each run.
#[derive(Clone)]
pub(in crate::server) struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    pub(in crate::server) fn stopped(&self) -> StopFuture {
        let mut receiver = self.0.clone();
        Box::pin(async move {
            if receiver.wait_for(|stop| *stop).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// SIGINT and SIGTERM (Ctrl-C on systems other than Unix), one after the other.
pub(super) struct ShutdownSignals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl ShutdownSignals {
    #[cfg(unix)]
    pub(in crate::server) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
    pub(in crate::server) fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
