//! A balancer of connections, which asks each server if it is ready.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// The time between two probes of a server.
const PROBE: Duration = Duration::from_millis(50);

#[derive(Default)]
struct Server {
    is_ready: bool,
}

pub(super) struct Balancer {
    pub(super) address: SocketAddr,
    servers: Mutex<HashMap<SocketAddr, Server>>,
    next: AtomicUsize,
    refused: AtomicUsize,
}

impl Balancer {
    pub(super) async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let balancer = Arc::new(Self {
            address: listener.local_addr().unwrap(),
            servers: Mutex::default(),
            next: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        });
        let accepting = Arc::clone(&balancer);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(Arc::clone(&accepting).pass(client));
            }
        });
        balancer
    }

    pub(super) fn add(self: &Arc<Self>, address: SocketAddr) {
        self.servers().insert(address, Server::default());
        tokio::spawn(Arc::clone(self).watch(address));
    }

    pub(super) fn remove(&self, address: SocketAddr) {
        self.servers().remove(&address);
    }

    pub(super) async fn all_ready(&self, number: usize) {
        while self.ready().len() != number {
            sleep(PROBE).await;
        }
    }

    /// Returns the number of connections that a chosen server did not accept.
    pub(super) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    fn servers(&self) -> MutexGuard<'_, HashMap<SocketAddr, Server>> {
        self.servers.lock().unwrap()
    }

    fn ready(&self) -> Vec<SocketAddr> {
        let servers = self.servers();
        let mut ready: Vec<_> =
            servers.iter().filter(|(_, server)| server.is_ready).map(|(address, _)| *address).collect();
        ready.sort();
        ready
    }

    /// Probes a server until it is removed.
    async fn watch(self: Arc<Self>, address: SocketAddr) {
        loop {
            let is_ready = timeout(Duration::from_secs(1), probe(address)).await == Ok(Some(true));
            match self.servers().get_mut(&address) {
                Some(server) => server.is_ready = is_ready,
                None => return,
            }
            sleep(PROBE).await;
        }
    }

    async fn pass(self: Arc<Self>, mut client: TcpStream) {
        let ready = self.ready();
        let Some(chosen) = ready.get(self.next.fetch_add(1, Ordering::SeqCst) % ready.len().max(1)).copied()
        else {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return;
        };
        match TcpStream::connect(chosen).await {
            Ok(mut server) => drop(copy_bidirectional(&mut client, &mut server).await),
            Err(_) => _ = self.refused.fetch_add(1, Ordering::SeqCst),
        }
    }
}

/// Asks a server if it is ready, under a name that no agent of it answers to.
async fn probe(address: SocketAddr) -> Option<bool> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = b"GET /health/ready HTTP/1.1\r\nhost: pod-7.internal\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    Some(answer.starts_with("HTTP/1.1 200 "))
}
