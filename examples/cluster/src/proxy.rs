//! The one address of both nodes: each connection goes to the next node that lives.

use std::collections::VecDeque;
use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

pub struct Proxy {
    pub url: String,
    /// The ports of the nodes that live, the next one first.
    living: Mutex<VecDeque<u16>>,
    cut: Notify,
}

impl Proxy {
    pub async fn start() -> io::Result<Arc<Self>> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let proxy = Arc::new(Self { url, living: Mutex::default(), cut: Notify::new() });
        let accepting = Arc::clone(&proxy);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(Arc::clone(&accepting).pass(client));
            }
        });
        Ok(proxy)
    }

    pub fn add(&self, port: u16) {
        self.living().push_back(port);
    }

    pub fn remove(&self, port: u16) {
        self.living().retain(|living| *living != port);
    }

    /// Cuts all connections, and leaves the nodes alone.
    pub fn cut(&self) {
        self.cut.notify_waiters();
    }

    fn living(&self) -> MutexGuard<'_, VecDeque<u16>> {
        self.living.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<u16> {
        let mut living = self.living();
        let port = living.pop_front()?;
        living.push_back(port);
        Some(port)
    }

    async fn pass(self: Arc<Self>, mut client: TcpStream) {
        // Without a node the connection is closed, and the client comes again.
        let Some(port) = self.next() else { return };
        let Ok(mut node) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await else { return };
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut node) => {}
            () = self.cut.notified() => {}
        }
    }
}
