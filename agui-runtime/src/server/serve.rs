//! The life of a server: from its address to the signal that ends it.

use std::future::{Future, pending};
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::shutdown::{Signals, Stop};
use super::{Server, address, manifest};
use crate::Error;

/// How long connections have to notice that their run was dropped.
const HANG_UP: Duration = Duration::from_millis(500);

impl Server {
    /// Serves until SIGINT or SIGTERM, at the address in `AGUI_ADDR`, by default `127.0.0.1:8000`.
    ///
    /// Prints one line to standard output, `AG-UI agent listening on http://127.0.0.1:8000`. Port 0 takes a free port.
    /// The first signal lets runs go on for the [grace](Self::shutdown_grace), a second one ends it.
    ///
    /// # Errors
    /// Those of [`router`](Self::router), and those of the address: [`Error::Address`], [`Error::AddressInUse`] and
    /// [`Error::Bind`].
    pub async fn serve(self) -> Result<(), Error> {
        manifest::hand_over_if_asked(self.sources());
        // What is wrong with the server is said before anybody is told that it listens.
        self.check()?;
        let listener = address::listen().await?;
        let mut signals = Signals::new().map_err(Error::Io)?;
        let (hand_on, handed_on) = oneshot::channel();
        let first = async move {
            signals.next().await;
            tracing::info!("shutting down");
            // The other end is gone when the server has ended by itself.
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

    /// Serves on a listener until a future resolves: [`serve`](Self::serve) with its outside world as arguments.
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
    /// Those of [`router`](Self::router), and [`Error::Io`].
    pub async fn serve_on(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Error> {
        self.serve_until(listener, shutdown, pending()).await
    }

    async fn serve_until(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
        hurry: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let grace = self.grace;
        let stop = Stop::new();
        let origins = self.check()?;
        let router = self.assemble(origins, Some(&stop.subscribe()));
        // An event is worth sending at once, however small.
        let listener = listener.tap_io(|connection| {
            if let Err(error) = connection.set_nodelay(true) {
                tracing::debug!(%error, "a connection stays slow");
            }
        });
        let (asked, ask) = oneshot::channel();
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
            shutdown.await;
            let _ = asked.send(());
        });
        let end = async {
            if ask.await.is_err() {
                pending::<()>().await;
            }
            tokio::select! {
                () = tokio::time::sleep(grace) => {}
                () = hurry => {}
            }
            stop.stop();
            tokio::time::sleep(HANG_UP).await;
        };
        tokio::select! {
            served = serving.into_future() => served.map_err(Error::Io),
            () = end => Ok(()),
        }
    }
}
