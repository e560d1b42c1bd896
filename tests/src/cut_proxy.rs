//! A proxy that cuts its connections in the middle of responses.
#![allow(clippy::unwrap_used, reason = "test support: what goes wrong here fails the test")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A proxy in front of a server of a test.
pub struct CutProxy {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl CutProxy {
    /// Starts a proxy that runs until the process ends. It cuts each connection after as many bytes of responses as
    /// `room` says for its number.
    ///
    /// # Panics
    /// If this machine has no free port.
    pub fn start(to: SocketAddr, room: impl Fn(usize) -> usize + Send + 'static) -> Self {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let room = room(count.fetch_add(1, Ordering::SeqCst));
                thread::spawn(move || forward(&client, to, room).ok());
            }
        });
        Self { address, connections }
    }

    /// The address of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn forward(client: &TcpStream, to: SocketAddr, mut room: usize) -> std::io::Result<()> {
    let server = TcpStream::connect(to)?;
    for stream in [client, &server] {
        stream.set_nodelay(true)?;
    }
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || std::io::copy(&mut from_client, &mut to_server).ok());
    let (mut from_server, mut to_client) = (&server, client);
    let mut piece = [0; 4096];
    while room > 0 {
        let count = from_server.read(&mut piece)?.min(room);
        if count == 0 {
            break;
        }
        to_client.write_all(piece.get(..count).unwrap_or_default())?;
        room -= count;
    }
    server.shutdown(Shutdown::Both).ok();
    client.shutdown(Shutdown::Both)
}
