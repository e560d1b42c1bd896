//! A server's lifetime: from its address to the signal that ends the server.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

use super::connection::{ConnectionDriver, ShutdownPhase};
use super::health::ServerReadiness;
use super::shutdown::{ShutdownSignals, StopHandle};
use super::{address, connection};
use crate::manifest::hand_over_if_asked;
use crate::server::threads::ServerThreads;
use crate::server::{Error, Server, start_page};
use crate::stderr_log::log_to_stderr;

/// The time that connections have to send the ends of their runs, and then to notice that they are closed.
const HANG_UP: Duration = Duration::from_millis(500);

impl Server {
    /// Serves until SIGINT or SIGTERM, at the address in `AGUI_ADDR`, by default `127.0.0.1:8000`.
    ///
    /// Prints one line to standard output, `AG-UI agent listening on http://127.0.0.1:8000`. Port 0 takes a free port. Unless the
    /// program has a tracing subscriber, warnings and errors go to standard error, as after
    /// [`log_to_stderr`](crate::http::log_to_stderr).
    ///
    /// After a signal, the server ends in this order:
    ///
    /// 1. The server is not [ready](Self::health), and accepts requests for the
    ///    [delay](crate::Limits::shutdown_delay).
    /// 2. The listener is closed, and runs may go on for the [grace period](crate::Limits::shutdown_grace).
    /// 3. The remaining runs end with RUN_ERROR and code `shutdown`, and all connections are closed.
    /// 4. The [thread](Self::threads) store is dropped, and this method returns.
    ///
    /// A second signal ends the delay and the grace period.
    ///
    /// # Errors
    /// As [`router`](Self::router), and the address errors [`Error::Address`], [`Error::AddressInUse`] and [`Error::Bind`].
    pub async fn serve(self) -> Result<(), Error> {
        hand_over_if_asked(self.sources());
        log_to_stderr();
        // Mistakes in the server are reported before it announces its address.
        self.check(None)?;
        let listener = address::listen().await?;
        let mut signals = ShutdownSignals::new().map_err(Error::Io)?;
        let (hand_on, handed_on) = oneshot::channel();
        let first = async move {
            signals.next().await;
            tracing::info!("shutting down");
            // The receiver is gone if the server has ended by itself.
            let _ = hand_on.send(signals);
        };
        let second = async {
            match handed_on.await {
                Ok(mut signals) => signals.next().await,
                Err(_) => pending().await,
            }
        };
        address::announce(&listener)?;
        self.serve_until(listener, first, second).await
    }

    /// Serves on a listener until a future resolves: [`serve`](Self::serve) with its environment as arguments. The program
    /// installs the log, for example with [`log_to_stderr`](crate::http::log_to_stderr).
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    /// use tokio::net::TcpListener;
    /// use tokio::sync::oneshot;
    ///
    /// # async fn example(chef: impl Agent) -> Result<(), Box<dyn std::error::Error>> {
    /// let listener = TcpListener::bind("127.0.0.1:0").await?;
    /// let (stop, stopped) = oneshot::channel::<()>();
    /// let server = Server::new().agent("/", chef).serve_on(listener, async { stopped.await.unwrap_or(()) });
    /// let server = tokio::spawn(server);
    /// stop.send(()).ok();
    /// server.await??;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`router`](Self::router), and [`Error::Io`].
    pub async fn serve_on(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Error> {
        self.serve_until(listener, shutdown, pending()).await
    }

    async fn serve_until(
        mut self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
        hurry: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let limits = self.settings.limits.clone();
        let (delay, grace) = (limits.shutdown_delay, limits.shutdown_grace);
        let address = listener.local_addr().map_err(Error::Io)?;
        let gate = self.check(Some(address))?;
        let in_development = start_page::in_development(address, cfg!(debug_assertions));
        self.settings.in_development = in_development;
        self.settings.reveal_errors.get_or_insert(in_development.is_some());
        let threads = self.stored_threads()?;
        let (stop, readiness) = (StopHandle::new(), ServerReadiness::new(threads.clone()));
        let router = self.assemble(gate, Some(&stop.subscribe()), threads.as_ref(), &readiness);
        if let Some(threads) = &threads {
            threads.maintain();
        }
        let (ending, seen) = watch::channel(ShutdownPhase::Open);
        let driver = Arc::new(ConnectionDriver::new(router, limits, seen));
        // Both waits end by it, and none may be polled again after it: each has a handle of its own.
        let hurry = hurry.shared();
        let drained = drain(shutdown, &readiness, delay, hurry.clone());
        connection::accept(listener, driver, drained).await;
        let closing = ClosingServer { ending, threads };
        closing.begin();
        tokio::select! {
            () = closing.ended() => return Ok(()),
            () = sleep(grace) => {}
            () = hurry => {}
        }
        stop.stop();
        closing.cut().await;
        Ok(())
    }
}

/// Waits for the shutdown request, and then until balancers have noticed that the server is not ready.
async fn drain(
    shutdown: impl Future<Output = ()>,
    readiness: &ServerReadiness,
    delay: Duration,
    hurry: impl Future<Output = ()>,
) {
    shutdown.await;
    readiness.drain();
    tokio::select! {
        () = sleep(delay) => {}
        () = hurry => {}
    }
}

/// A server that accepts no more connections.
struct ClosingServer {
    ending: watch::Sender<ShutdownPhase>,
    threads: Option<Arc<ServerThreads>>,
}

impl ClosingServer {
    /// Takes no more requests; those in progress may end.
    fn begin(&self) {
        self.ending.send_replace(ShutdownPhase::Closing);
        if let Some(threads) = &self.threads {
            threads.close();
        }
    }

    /// Resolves when no connection is open and no run goes on.
    async fn ended(&self) {
        self.ending.closed().await;
        if let Some(threads) = &self.threads {
            threads.local_runs.idle().await;
        }
    }

    /// Closes the connections whose runs have been stopped.
    async fn cut(&self) {
        if timeout(HANG_UP, self.ending.closed()).await.is_err() {
            self.ending.send_replace(ShutdownPhase::Cut);
            // A connection whose agent blocks its thread does not notice even that.
            let _ = timeout(HANG_UP, self.ending.closed()).await;
        }
        if let Some(threads) = &self.threads {
            // The ends of runs that no client reads are written too.
            let _ = timeout(HANG_UP, threads.local_runs.idle()).await;
        }
    }
}
