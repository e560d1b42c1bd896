//! Sessions over a WebSocket within TLS, which a proxy in front of the server ends.

use std::net::SocketAddr;

use agui_runtime::client::{ClientError, HttpAgent, Session};
use agui_tests::tls::{acceptor, trusting};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

use crate::in_time;
use crate::websocket::{count, serve};

/// Starts a proxy that speaks these protocols of ALPN, and passes bytes on.
async fn proxy(to: SocketAddr, protocols: &[&str]) -> SocketAddr {
    let (listener, acceptor) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), acceptor(protocols));
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let mut safe = acceptor.accept(stream).await?;
                copy_bidirectional(&mut safe, &mut TcpStream::connect(to).await?).await
            });
        }
    });
    address
}

/// An agent over an HTTP client of its own, which trusts the proxy and speaks these protocols.
fn agent(proxy: SocketAddr, protocols: &[&str]) -> HttpAgent {
    let http = reqwest::Client::builder().tls_backend_preconfigured(trusting(protocols)).build().unwrap();
    let agent = HttpAgent::with_client(format!("https://{proxy}/count"), http).unwrap();
    agent.websocket(format!("wss://{proxy}/agui/ws")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_within_tls_is_made_by_the_http_client_of_the_agent() {
    let server = serve(|server| server).await;
    let proxy = proxy(server.address, &["h2", "http/1.1"]).await;
    count(agent(proxy, &["http/1.1"]), "t", 100).await;
    // A client of the caller's own that prefers HTTP/2 has no sockets: the server says so.
    let mut session: Session = Session::new(agent(proxy, &["h2", "http/1.1"]));
    session.say("1");
    let refused = in_time(session.run()).await.unwrap_err();
    assert!(matches!(refused, ClientError::Status { status: 426, .. }), "{refused:?}");
}
