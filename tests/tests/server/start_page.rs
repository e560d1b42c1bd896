//! The page at the address that a program prints.

use std::net::SocketAddr;

use agui_runtime::Server;
use agui_tests::http::{Request, Whole};
use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::kitchen::{Cook, Served, asking};

const PAGE: &str = "This is an AG-UI server";

async fn start_page(address: SocketAddr) -> Whole {
    Request::new("GET", "/").header("accept", "text/html,*/*;q=0.8").send(address).await
}

#[tokio::test]
async fn the_address_that_a_program_prints_is_a_page_about_its_agents() {
    let server = Server::new().agent("/", Cook::named("host")).agent("/chef", Cook::named("chef"));
    let served = Served::start(server).await;
    let page = start_page(served.address).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let text = page.text();
    let address = served.address;
    for said in [
        PAGE.to_owned(),
        "<code>/chef</code> cook".to_owned(),
        "Does what it is told".to_owned(),
        "href=\"/chef/capabilities\"".to_owned(),
        "href=\"/capabilities\"".to_owned(),
        format!("curl -N &#39;http://{address}/chef&#39;"),
        format!("cargo run -p agui-cli -- inspect http://{address}/ http://{address}/chef"),
    ] {
        assert!(text.contains(&said), "`{said}`? {text}");
    }
    // The agent at the same path still answers.
    let events = Request::run("/", asking("who").to_string()).send(address).await.events();
    assert_eq!(events.last().unwrap()["result"], "host");

    // The page is there too if no agent is at `/`.
    let served = Served::start(Server::new().agent("/chef", Cook::named("chef"))).await;
    assert!(start_page(served.address).await.text().contains(PAGE));
}

#[tokio::test]
async fn routes_of_the_program_come_first() {
    let status = Router::new().route("/status", get(|| async { "fine" }));
    for (own, is_page) in [
        (status.clone(), true),
        (status.clone().route("/", get(|| async { "own page" })), false),
        (status.fallback(|| async { "own fallback" }), false),
    ] {
        let served = Served::start(Server::new().agent("/chef", Cook::new().0).routes(own)).await;
        assert_eq!(start_page(served.address).await.text().contains(PAGE), is_page);
        assert_eq!(Request::new("GET", "/status").send(served.address).await.text(), "fine");
    }
}

#[tokio::test]
async fn other_machines_do_not_get_the_page() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
    let (stop, stopped) = oneshot::channel::<()>();
    let server = Server::new().agent("/", Cook::new().0).serve_on(listener, async { drop(stopped.await) });
    let server = tokio::spawn(server);
    let answer = start_page(address).await;
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")));
    drop(stop);
    server.await.unwrap().unwrap();
    // A page of another name has nothing to read here.
    let served = Served::cook().await;
    let foreign = Request::new("GET", "/").header("accept", "text/html").header("host", "evil.example");
    assert_eq!(foreign.send(served.address).await.status, 403);
}
