//! Allowed and refused pages.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::http::AgUiInput;
use agui_runtime::{Error, Server};
use agui_tests::http::{Request, Whole};
use axum::Router;
use axum::body::Body;
use axum::extract::FromRequest as _;
use axum::routing::{get, post};

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

/// Every header that lets a page read an answer.
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
async fn pages_of_this_machine_and_of_the_server_are_allowed() {
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
async fn named_origins_are_allowed_beside_the_others() {
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

/// Serves a router that knows neither its address nor its names.
async fn unknown(app: Router) -> std::net::SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

#[tokio::test]
async fn a_nested_router_looks_at_origins_and_at_hosts_where_they_are_named() {
    let app = Router::new().nest("/one", agui_runtime::router(Cook::new().0)).nest(
        "/named",
        Server::new().agent("/", Cook::new().0).allow_hosts(["agent.internal"]).router().unwrap(),
    );
    let address = unknown(app).await;
    let run = |path: &str| Request::run(path, asking("hello").to_string()).header("host", "shop.example");
    assert_eq!(run("/one").send(address).await.status, 200);
    is_refused(&run("/one").header("origin", EVIL).send(address).await, "origin_not_allowed");
    is_refused(&run("/named").send(address).await, "host_not_allowed");
    let named = run("/named").header("host", "agent.internal");
    assert_eq!(named.send(address).await.status, 200);
    assert_eq!(named.header("origin", "http://agent.internal").send(address).await.status, 200);
}

/// A page whose host was pointed to the server (DNS rebinding) has the same origin; but no certificate for its name.
#[tokio::test]
async fn where_hosts_are_not_known_a_page_is_the_servers_own_over_tls_or_by_address() {
    let (cook, handled) = (Cook::new().0, Cook::new().0);
    let runs = [cook.runs.clone(), handled.runs.clone()];
    let handled = Arc::new(handled);
    let handler = post(async move |input: AgUiInput| input.start(handled));
    let app = Router::new().nest("/router", agui_runtime::router(cook)).route("/handler", handler);
    let address = unknown(app).await;
    let mut let_in = 0;
    for path in ["/router", "/handler"] {
        for (host, origin, expected) in [
            ("rebound.example", "http://rebound.example", 403),
            ("rebound.example:8000", "http://rebound.example:8000", 403),
            ("10.0.0.9.rebound.example", "http://10.0.0.9.rebound.example", 403),
            ("shop.example", EVIL, 403),
            ("shop.example", "null", 403),
            ("shop.example", "http://shop.example:8000", 403),
            // A proxy that speaks TLS for the page and the agent of one domain.
            ("shop.example", "https://shop.example", 200),
            ("shop.example:8443", "https://shop.example:8443", 200),
            // No record can point an address elsewhere.
            ("10.0.0.9:8000", "http://10.0.0.9:8000", 200),
            ("[fe80::1]:8000", "http://[fe80::1]:8000", 200),
            ("localhost:8000", "http://localhost:8000", 200),
            ("shop.example", "http://localhost:5173", 200),
        ] {
            let run = Request::run(path, asking("hello").to_string()).header("host", host);
            let answer = run.header("origin", origin).send(address).await;
            assert_eq!(answer.status, expected, "{path} {host} {origin}: {}", answer.text());
            if expected == 403 {
                is_refused(&answer, "origin_not_allowed");
            }
            let_in += usize::from(expected == 200);
        }
        let program = Request::run(path, asking("hello").to_string()).header("host", "agent.internal");
        assert_eq!(program.send(address).await.status, 200, "{path}");
        let_in += 1;
    }
    assert_eq!(runs.iter().map(|runs| runs.load(Ordering::Relaxed)).sum::<usize>(), let_in);
}

/// Browsers send no origin with `GET`, so only the host tells a rebound page from a program.
#[tokio::test]
async fn where_hosts_are_not_known_agents_are_described_by_address_and_over_tls() {
    let routes = Router::new().route("/own", axum::routing::get(async || "own"));
    let app = || Router::new().nest("/router", agui_runtime::router(Cook::new().0));
    let with_routes = Server::new().agent("/", Cook::new().0).routes(routes).router().unwrap();
    let open = Server::new().agent("/", Cook::new().0).allow_any_origin().router().unwrap();
    let address = unknown(app().nest("/server", with_routes).nest("/open", open)).await;
    let get = |path: &str, host: &str| Request::new("GET", path).header("host", host);
    for path in ["/router/capabilities", "/router/agui/manifest.json", "/server/capabilities"] {
        for host in
            ["rebound.example", "rebound.example:8000", "10.0.0.9.rebound.example", "localhost.evil.example"]
        {
            is_refused(&get(path, host).send(address).await, "host_not_allowed");
            let head = Request::new("HEAD", path).header("host", host);
            assert_eq!(head.open(address).await.status, 403, "{path} {host}");
            let cross = get(path, host).header("sec-fetch-site", "cross-site");
            is_refused(&cross.send(address).await, "host_not_allowed");
        }
        for host in ["localhost:8000", "127.0.0.1", "10.0.0.9:8000", "[fe80::1]:8000"] {
            assert_eq!(get(path, host).send(address).await.status, 200, "{path} {host}");
        }
        // A page of one domain with the agent, over TLS.
        let same = get(path, "shop.example").header("sec-fetch-site", "same-origin");
        assert_eq!(same.send(address).await.status, 200, "{path}");
        let named = get(path, "shop.example").header("origin", "https://shop.example");
        assert_eq!(named.send(address).await.status, 200, "{path}");
    }
    assert_eq!(
        get("/server/own", "rebound.example").send(address).await.status,
        200,
        "a route of the user's"
    );
    assert_eq!(get("/open/capabilities", "rebound.example").send(address).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_handler_without_a_server_waits_for_a_body_as_long_as_a_server() {
    let request = http::Request::post("/").header("content-type", "application/json");
    let body =
        Body::from_stream(futures::stream::pending::<Result<bytes::Bytes, std::convert::Infallible>>());
    let start = tokio::time::Instant::now();
    // The clock goes on by itself while nothing else happens.
    let read = AgUiInput::from_request(request.body(body).unwrap(), &());
    let refused = tokio::time::timeout(Duration::from_secs(3600), read).await.expect("it waits for ever");
    assert_eq!(refused.unwrap_err().code(), "body_timeout");
    assert_eq!(start.elapsed().as_secs(), 30);
}
