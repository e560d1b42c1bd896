//! Pages that may talk to a server, and pages that may not.

use std::sync::atomic::Ordering;

use agui_runtime::{Error, Server};
use agui_tests::http::{Request, Whole};
use axum::Router;
use axum::routing::get;

use crate::kitchen::{Cook, Served, asking};

const EVIL: &str = "https://evil.example";

fn run() -> Request {
    Request::run("/", asking("hello").to_string())
}

fn preflight() -> Request {
    Request::new("OPTIONS", "/")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,x-tenant")
}

/// Every header by which a browser would let a page read something.
const OPENERS: [&str; 4] = [
    "access-control-allow-origin",
    "access-control-allow-headers",
    "access-control-allow-methods",
    "access-control-allow-credentials",
];

fn is_refused(answer: &Whole, code: &str) {
    assert_eq!(answer.status, 403, "{}", answer.text());
    assert_eq!(answer.json()["error"]["code"], code);
    for header in OPENERS {
        assert_eq!(answer.header(header), None, "{header}");
    }
}

#[tokio::test]
async fn a_page_of_another_origin_starts_nothing_and_reads_nothing() {
    let page = Router::new().route("/page", get(|| async { "page" }));
    let cook = Cook::new().0;
    let runs = cook.runs.clone();
    let served = Served::start(Server::new().agent("/", cook).routes(page)).await;
    for origin in
        [EVIL, "null", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "file://", ""]
    {
        let requests = [
            run(),
            run().header("content-type", "text/plain"),
            run().without("content-type"),
            preflight(),
            Request::new("GET", "/capabilities"),
            Request::new("GET", "/agui/manifest.json"),
            Request::new("GET", "/page"),
            Request::new("GET", "/nothing"),
            Request::new("DELETE", "/"),
        ];
        for request in requests {
            let answer = request.header("origin", origin).send(served.address).await;
            is_refused(&answer, "origin_not_allowed");
            assert_eq!(answer.header("vary"), Some("origin"));
        }
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0, "a run was started");
}

#[tokio::test]
async fn pages_of_this_machine_and_of_the_server_are_let_in() {
    let served = Served::cook().await;
    let own = format!("http://{}", served.address);
    for origin in
        ["http://localhost:5173", "https://127.0.0.1", "http://127.9.9.9:1", "http://[::1]:3000", &own]
    {
        let answer = run()
            .header("host", &served.address.to_string())
            .header("origin", origin)
            .send(served.address)
            .await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some(origin)));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let answer = preflight().header("origin", origin).send(served.address).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some(origin)));
        assert_eq!(answer.header("access-control-allow-methods"), Some("POST"));
        assert_eq!(
            answer.header("access-control-allow-headers"),
            Some("authorization,content-type,x-tenant")
        );
    }
}

#[tokio::test]
async fn clients_that_are_no_pages_are_not_affected() {
    let served = Served::cook().await;
    assert_eq!(run().send(served.address).await.status, 200);
}

#[tokio::test]
async fn named_origins_are_let_in_beside_the_others() {
    let server = Server::new()
        .agent("/", Cook::new().0)
        .allow_origins(["https://App.example"])
        .allow_origins(["https://b.example"]);
    let served = Served::start(server).await;
    for (origin, credentials) in [
        ("https://app.example", Some("true")),
        ("https://b.example", Some("true")),
        ("http://localhost:1", None),
    ] {
        for request in [run(), preflight()] {
            let answer = request.header("origin", origin).send(served.address).await;
            assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some(origin)));
            assert_eq!(answer.header("access-control-allow-credentials"), credentials, "{origin}");
        }
    }
    for origin in ["http://app.example", "https://app.example:444", EVIL] {
        is_refused(&run().header("origin", origin).send(served.address).await, "origin_not_allowed");
    }
    let wrong = Server::new().allow_origins(["app.example"]).router();
    assert!(matches!(&wrong, Err(Error::InvalidOrigin { origin }) if origin == "app.example"), "{wrong:?}");
}

#[tokio::test]
async fn one_method_opens_a_server_to_every_page() {
    let server =
        Server::new().agent("/", Cook::new().0).allow_origins(["https://app.example"]).allow_any_origin();
    let served = Served::start(server).await;
    for origin in [EVIL, "null"] {
        let answer = run().header("origin", origin).send(served.address).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some("*")));
        let answer = preflight().header("origin", origin).send(served.address).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some("*")));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        // Not every header for every page.
        let headers = answer.header("access-control-allow-headers").unwrap();
        assert!(headers.contains("authorization") && !headers.contains("x-tenant"), "{headers}");
    }
}

#[tokio::test]
async fn a_server_on_loopback_answers_to_loopback_names_alone() {
    let cook = Cook::new().0;
    let runs = cook.runs.clone();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let port = served.address.port();
    for host in
        ["evil.example".to_owned(), format!("evil.example:{port}"), "0.0.0.0".to_owned(), String::new()]
    {
        for request in [run(), preflight(), Request::new("GET", "/capabilities")] {
            // A page whose host points here is of the same origin.
            let same = format!("http://{host}");
            is_refused(&request.clone().header("host", &host).send(served.address).await, "host_not_allowed");
            let answer = request.header("host", &host).header("origin", &same).send(served.address).await;
            is_refused(&answer, "host_not_allowed");
        }
    }
    is_refused(&run().without("host").send(served.address).await, "host_not_allowed");
    let absolute = Request::run(&format!("http://evil.example:{port}/"), asking("hello").to_string());
    is_refused(&absolute.send(served.address).await, "host_not_allowed");
    assert_eq!(runs.load(Ordering::Relaxed), 0, "a run was started");

    for host in [
        "localhost".to_owned(),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        "LocalHost:1".to_owned(),
    ] {
        assert_eq!(run().header("host", &host).send(served.address).await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn the_authority_of_http_2_is_a_host_too() {
    let served = Served::cook().await;
    let stream = tokio::net::TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    for (authority, expected) in [("evil.example", 403), ("localhost", 200)] {
        let request = http::Request::get(format!("http://{authority}/capabilities")).body(()).unwrap();
        let (answer, _) = client.send_request(request, true).unwrap();
        assert_eq!(answer.await.unwrap().status(), expected, "{authority}");
    }
}

#[tokio::test]
async fn further_hosts_can_be_named() {
    let server = || Server::new().agent("/", Cook::new().0).allow_hosts(["Agent.internal"]);
    let served = Served::start(server()).await;
    for host in ["agent.internal", "agent.internal:8000", "localhost"] {
        assert_eq!(run().header("host", host).send(served.address).await.status, 200, "{host}");
    }
    is_refused(&run().header("host", "other.internal").send(served.address).await, "host_not_allowed");
    let wrong = Server::new().allow_hosts(["agent.internal:80"]).router();
    assert!(matches!(&wrong, Err(Error::InvalidHost { host }) if host == "agent.internal:80"), "{wrong:?}");
}

#[tokio::test]
async fn a_nested_router_looks_at_origins_and_at_hosts_where_they_are_named() {
    let app = Router::new().nest("/one", agui_runtime::router(Cook::new().0)).nest(
        "/named",
        Server::new().agent("/", Cook::new().0).allow_hosts(["agent.internal"]).router().unwrap(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let run = |path: &str| Request::run(path, asking("hello").to_string()).header("host", "shop.example");
    assert_eq!(run("/one").send(address).await.status, 200);
    assert_eq!(run("/one").header("origin", "https://shop.example").send(address).await.status, 200);
    is_refused(&run("/one").header("origin", EVIL).send(address).await, "origin_not_allowed");
    is_refused(&run("/named").send(address).await, "host_not_allowed");
    assert_eq!(run("/named").header("host", "agent.internal").send(address).await.status, 200);
}
