//! A server on a port of its own.

use std::future::pending;
use std::net::SocketAddr;

use agui_runtime::{Error, Server};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server that accepts connections, until it is asked to end or its executor does.
#[derive(Debug)]
pub struct Served {
    /// Its address on the loopback interface.
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), Error>>,
}

impl Served {
    /// Serves on a free port.
    pub async fn start(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.serve_on(listener, async {
            if stopped.await.is_err() {
                pending::<()>().await;
            }
        }));
        Self { address, stop, task }
    }

    /// Asks the server to end, and waits until it has.
    pub async fn close(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap().unwrap();
    }
}
