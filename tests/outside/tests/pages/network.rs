//! The network between a page and its server: a proxy whose connections can be cut, and that takes no others until it is restored.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A network that runs until its runtime ends.
pub struct Network {
    address: SocketAddr,
    is_cut: watch::Sender<bool>,
}

impl Network {
    /// A network before the server at an address.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (is_cut, cut) = watch::channel(false);
        tokio::spawn(async move {
            loop {
                let Ok((client, _)) = listener.accept().await else { continue };
                if !*cut.borrow() {
                    tokio::spawn(pass(client, server, cut.clone()));
                }
            }
        });
        Self { address, is_cut }
    }

    /// The address of the server behind the network.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes all connections, and each new one, until [`restore`](Self::restore).
    pub fn cut(&self) {
        self.is_cut.send_replace(true);
    }

    pub fn restore(&self) {
        self.is_cut.send_replace(false);
    }
}

async fn pass(mut client: TcpStream, server: SocketAddr, mut cut: watch::Receiver<bool>) {
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    tokio::select! {
        // Either end may leave.
        _ = copy_bidirectional(&mut client, &mut server) => {}
        _ = cut.wait_for(|is_cut| *is_cut) => {}
    }
}
