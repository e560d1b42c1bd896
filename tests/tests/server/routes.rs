//! The routes of a server.

use agui_runtime::manifest::Manifest;
use agui_runtime::protocol::AgentCapabilities;
use agui_runtime::{Error, Server};
use agui_tests::http::Request;
use axum::Router;
use axum::routing::{get, post};
use serde_json::json;

use crate::kitchen::{Cook, Served, asking};

async fn who(served: &Served, path: &str) -> String {
    let events = Request::run(path, asking("who").to_string()).send(served.address).await.events();
    events.last().unwrap()["result"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn agents_share_a_server() {
    let server = Server::new()
        .agent("/", Cook::named("host"))
        .agent("/chef", Cook::named("chef"))
        .agent("/kitchen/waiter/", Cook::named("waiter"));
    let served = Served::start(server).await;
    assert_eq!(who(&served, "/").await, "host");
    assert_eq!(who(&served, "/chef").await, "chef");
    assert_eq!(who(&served, "/kitchen/waiter/").await, "waiter");
    for path in ["/capabilities", "/chef/capabilities", "/kitchen/waiter/capabilities"] {
        assert_eq!(Request::new("GET", path).send(served.address).await.status, 200, "{path}");
    }
    let lost = Request::run("/waiter", asking("who").to_string()).send(served.address).await;
    let message = lost.json()["error"]["message"].clone();
    assert_eq!(
        message,
        "nothing is at `/waiter`: this server's agents are at `/`, `/chef`, `/kitchen/waiter/`"
    );
}

#[tokio::test]
async fn capabilities_are_what_the_agent_is() {
    let served = Served::cook().await;
    let answer = Request::new("GET", "/capabilities").send(served.address).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let declared: AgentCapabilities = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(serde_json::to_value(&declared).unwrap(), answer.json());
    let text = answer.text();
    assert!(
        !text.contains("encryptedValue") && !text.contains("protocolVersion"),
        "the same for each version: {text}"
    );
    let identity = declared.identity.unwrap();
    assert_eq!(identity.name.as_deref(), Some("cook"));
    assert_eq!(identity.version.as_deref(), Some("1.2.3"));
    let transport = declared.transport.unwrap();
    assert_eq!((transport.streaming, transport.http_binary), (Some(true), Some(true)));
}

#[tokio::test]
async fn the_manifest_is_there_in_development() {
    let manifest = Request::new("GET", "/agui/manifest.json");
    let server = || Server::new().agent("/", Cook::new().0).agent("/chef", Cook::new().0);

    let answer = manifest.send(Served::start(server()).await.address).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let read = Manifest::from_json(answer.text()).unwrap();
    assert_eq!((read.krate.name.as_str(), read.krate.version.as_str()), ("kitchen", "1.2.3"));
    let names: Vec<_> = read.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["cook"], "one agent at two paths is one agent");

    let hidden = manifest.send(Served::start(server().expose_manifest(false)).await.address).await;
    assert_eq!(hidden.status, 404);
}

/// Generated clients compare it with the manifest they were generated from.
#[tokio::test]
async fn answers_carry_the_hash_of_the_manifest_in_development() {
    let server = || Server::new().agent("/", Cook::new().0);
    let served = Served::start(server()).await;
    let manifest = Request::new("GET", "/agui/manifest.json").send(served.address).await;
    let hash = Manifest::from_json(manifest.text()).unwrap().hash.wire;
    let run = || Request::run("/", asking("who").to_string()).header("origin", "http://localhost:5173");
    for request in [run(), run().header("x-agui-manifest", "sha256-other")] {
        let answer = request.send(served.address).await;
        assert_eq!((answer.status, answer.header("x-agui-manifest")), (200, Some(hash.as_str())));
        assert_eq!(answer.header("access-control-expose-headers"), Some("x-agui-manifest,retry-after"));
    }
    let hidden = run().send(Served::start(server().expose_manifest(false)).await.address).await;
    assert_eq!((hidden.status, hidden.header("x-agui-manifest")), (200, None));
}

#[tokio::test]
async fn a_manifest_that_cannot_be_made_says_why() {
    let served = Served::start(Server::new()).await;
    let answer = Request::new("GET", "/agui/manifest.json").send(served.address).await;
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (500, &json!("no_manifest")));
    assert!(answer.text().contains("has no agents"), "{}", answer.text());
}

#[tokio::test]
async fn own_routes_stand_beside_agents_on_the_same_path_too() {
    let page = Router::new()
        .route("/", get(|| async { "page" }))
        .route("/status", get(|| async { "fine" }))
        .fallback(|| async { "own fallback" });
    let served = Served::start(Server::new().agent("/", Cook::new().0).routes(page)).await;
    for (path, expected) in [("/", "page"), ("/status", "fine"), ("/elsewhere", "own fallback")] {
        assert_eq!(Request::new("GET", path).send(served.address).await.text(), expected);
    }
    assert_eq!(who(&served, "/").await, "cook");
    let answer = Request::new("DELETE", "/").send(served.address).await;
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (405, &json!("method_not_allowed")));
    let mut allowed: Vec<_> = answer.header("allow").unwrap().split(',').map(str::trim).collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["GET", "HEAD", "POST"]);
}

#[tokio::test]
async fn a_router_nests_into_an_application() {
    let agents = Server::new().agent("/chef", Cook::named("chef")).router().unwrap();
    let app = Router::new()
        .nest("/agents", agents)
        .nest("/cook", agui_runtime::router(Cook::named("cook")))
        .route("/other", post(|| async { "other" }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    for (path, name) in [("/agents/chef", "chef"), ("/cook", "cook")] {
        let events = Request::run(path, asking("who").to_string()).send(address).await.events();
        assert_eq!(events.last().unwrap()["result"], name);
        let declared = Request::new("GET", &format!("{path}/capabilities")).send(address).await;
        assert_eq!(declared.json()["identity"]["name"], "cook");
    }
}

#[test]
fn one_path_for_two_agents_is_an_error() {
    let rows: &[(&[&str], &str, &str)] = &[
        (&["/", "/"], "POST", "/"),
        (&["/chef", "/", "/chef"], "POST", "/chef"),
        (&["/chef", "/chef/"], "GET", "/chef/capabilities"),
    ];
    for (paths, expected_method, expected) in rows {
        let server = paths.iter().fold(Server::new(), |server, path| server.agent(path, Cook::new().0));
        let Err(Error::DuplicatePath { method, path }) = server.router() else { panic!("{paths:?}") };
        assert_eq!((method, path.as_str()), (*expected_method, *expected));
    }
}

#[test]
fn a_path_that_no_request_can_name_is_an_error() {
    for path in
        ["", "chef", "/küche", "/a b", "/{id}", "/:id", "/*rest", "//", "/a//b", "/a?b", "/a#b", "/\n"]
    {
        let router = Server::new().agent(path, Cook::new().0).router();
        assert!(matches!(&router, Err(Error::InvalidPath { path: named }) if named == path), "{path:?}");
    }
    for path in ["/", "/chef", "/chef/", "/a.b/c-d_e~f", "/k%C3%BCche", "/@me"] {
        assert!(Server::new().agent(path, Cook::new().0).router().is_ok(), "{path}");
    }
}
