//! A server that is reached from outside, without named hosts, and a page whose name was pointed at it (DNS rebinding).

use std::net::SocketAddr;

use agui_runtime::Server;
use agui_runtime::a2a::A2aServer;
use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use serde_json::json;
use tokio::net::TcpListener;

use crate::thread_server::{Bells, Clerk, asking, connecting, is_refused, request};

/// The caller, whose threads are listed.
#[derive(Clone)]
struct Person;

async fn serve(change: fn(Server) -> Server) -> SocketAddr {
    let clerk = || Clerk::new(Bells::default());
    let server = Server::new().threads(Memory::new()).identity(|_: &Person| "ada".to_owned());
    let server = server.layer(axum::Extension(Person)).agent("/", clerk());
    let server = change(server.a2a("/a2a", A2aServer::new(clerk())));
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { server.serve_on(listener, std::future::pending()).await });
    SocketAddr::from(([127, 0, 0, 1], port))
}

const SAYS: [&str; 6] = [
    "/threads",
    "/threads/t/events",
    "/threads/t/events?after=1.2",
    "/a2a/tasks",
    "/a2a/tasks/1",
    "/a2a/tasks/1/pushNotificationConfigs",
];

#[tokio::test]
async fn a_rebound_page_reads_nothing_that_a_thread_says() {
    let address = serve(|server| server).await;
    request(&asking("1", "hello")).send(address).await;
    let evil = format!("evil.example:{}", address.port());
    let page = |request: Request| request.header("host", &evil).header("origin", &format!("http://{evil}"));
    for path in SAYS {
        // A browser sends no origin with these.
        let read = Request::new("GET", path).header("host", &evil).send(address).await;
        is_refused(&read, 403, "host_not_allowed");
        let own = Request::new("GET", path).open(address).await;
        assert_ne!(own.status, 403, "a program that names an address: {path}");
    }
    let stop = Request::new("POST", "/stop/t");
    for request in
        [request(&asking("2", "hello")), connecting(None), stop, Request::new("DELETE", "/threads/t")]
    {
        is_refused(&page(request).send(address).await, 403, "origin_not_allowed");
    }
}

#[tokio::test]
async fn a_server_whose_hosts_are_named_and_a_page_over_tls_read_threads() {
    let named = serve(|server| server.allow_hosts(["agent.internal"])).await;
    let unnamed = serve(|server| server).await;
    for (address, request) in [
        (named, Request::new("GET", "/threads").header("host", "agent.internal")),
        (
            unnamed,
            Request::new("GET", "/threads")
                .header("host", "a.example")
                .header("sec-fetch-site", "same-origin"),
        ),
    ] {
        let listed = request.send(address).await;
        assert_eq!((listed.status, listed.json()), (200, json!({ "threads": [] })), "{}", listed.text());
    }
}
