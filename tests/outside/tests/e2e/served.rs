//! A server of the test's own agents.

use std::future::pending;

use agui_runtime::Server;
use tokio::net::TcpListener;

/// Serves until the test ends; returns the address of the path `/`.
pub async fn served(server: Server) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(server.serve_on(listener, pending()));
    url
}
