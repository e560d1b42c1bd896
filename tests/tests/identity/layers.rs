//! Identity: a layer's value reaches the agent, and a run that may not start does not.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::dialect::snake_case::CHAT_PATH;
use agui_runtime::http::Rejection;
use agui_runtime::prelude::*;
use agui_runtime::{Clock, RunOptions, Server};
use agui_tests::http::{Request, Whole};
use agui_tests::log::Log;
use axum::extract::Request as Incoming;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::{Extension, Router, routing::get};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracing::Level;

use crate::kitchen::{Cook, Served, asking};

/// The customer of the request, and the number of its copies.
struct Customer {
    name: String,
    clones: Arc<AtomicUsize>,
}

impl Clone for Customer {
    fn clone(&self) -> Self {
        self.clones.fetch_add(1, Ordering::Relaxed);
        Self { name: self.name.clone(), clones: Arc::clone(&self.clones) }
    }
}

fn customer(name: &str) -> Customer {
    Customer { name: name.to_owned(), clones: Arc::default() }
}

/// Names the customer.
#[tool]
async fn name(who: &Customer) -> String {
    who.name.clone()
}

/// Knows its customers.
#[agent(tools = [name])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>, #[request] _: &Customer) -> Result<String, Stop> {
    Ok(run.call(name {}).await?.run().await)
}

async fn identify(mut request: Incoming, next: Next) -> Result<Response, Rejection> {
    let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    match header.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(token) if !token.is_empty() => {
            let customer = customer(token);
            request.extensions_mut().insert(customer);
            Ok(next.run(request).await)
        }
        _ => Err(Rejection::unauthenticated("a token is needed")),
    }
}

fn run_at(path: &str) -> Request {
    Request::run(path, asking("who").to_string())
}

fn as_ada(path: &str) -> Request {
    run_at(path).header("authorization", "Bearer Ada")
}

fn result(answer: &Whole) -> String {
    answer.events().last().unwrap()["result"].as_str().unwrap().to_owned()
}

fn error(answer: &Whole) -> (u16, String) {
    assert_eq!(answer.header("content-type"), Some("application/json"));
    (answer.status, answer.json()["error"]["code"].as_str().unwrap().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn a_tool_knows_what_a_layer_found_out() {
    let server = Server::new().agent("/", Desk::new()).layer(middleware::from_fn(identify));
    let served = Served::start(server).await;
    assert_eq!(result(&as_ada("/").send(served.address).await), "Ada");
    for token in ["", "Bearer ", "Basic Ada"] {
        let answer = run_at("/").header("authorization", token).send(served.address).await;
        assert_eq!(error(&answer), refused(401, "unauthenticated"));
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
}

#[tokio::test]
async fn a_run_without_what_its_agent_needs_is_refused_before_it_starts() {
    let server = Server::new()
        .agent("/", Desk::new())
        .snake_case_agent(CHAT_PATH, Desk::new())
        .agent("/cook", Cook::new().0);
    let (log, _recording) = Log::record(Level::WARN);
    let served = Served::start(server).await;
    let answer = run_at("/").send(served.address).await;
    assert_eq!(error(&answer), refused(401, "missing_request_value"));
    // Clients do not learn the types of the program; the log has them.
    let text = answer.text();
    assert!(!text.contains("Customer") && !text.contains("::"), "{text}");
    let lines = log.take();
    assert!(lines.iter().any(|line| line.contains("layers::Customer")), "{lines:#?}");
    assert!(answer.header("www-authenticate").is_some());
    // The refusal comes before the body is read: it may be anything, of any length, and incomplete.
    let announced = Request::run("/", "{").header("content-length", "9999999999");
    assert_eq!(error(&announced.send(served.address).await), refused(401, "missing_request_value"));
    let chat = Request::run(CHAT_PATH, r#"{"messages":[]}"#).send(served.address).await;
    assert_eq!(error(&chat), refused(401, "missing_request_value"));
    // Agents that need no value are not affected.
    assert_eq!(result(&run_at("/cook").send(served.address).await), "cook");
}

#[tokio::test]
async fn layers_go_around_the_agents_and_what_they_declare() {
    let page = Router::new().route("/page", get(|| async { "a page" }));
    let server = Server::new().agent("/", Cook::new().0).layer(middleware::from_fn(identify)).routes(page);
    let served = Served::start(server).await;
    for path in ["/capabilities", "/agui/manifest.json"] {
        let answer = Request::new("GET", path).send(served.address).await;
        assert_eq!(error(&answer), refused(401, "unauthenticated"), "{path}");
        let known =
            Request::new("GET", path).header("authorization", "Bearer Ada").send(served.address).await;
        assert_eq!(known.status, 200, "{path}");
    }
    assert_eq!(Request::new("GET", "/page").send(served.address).await.text(), "a page");
    let preflight = Request::new("OPTIONS", "/")
        .header("origin", "http://localhost:5173")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type");
    assert_eq!(preflight.send(served.address).await.status, 200, "a preflight carries no credentials");
    let lost = Server::new().agent("/", Cook::new().0).layer(middleware::from_fn(identify));
    let served = Served::start(lost).await;
    let lost = run_at("/nowhere").send(served.address).await;
    assert_eq!(error(&lost), refused(401, "unauthenticated"), "strangers are not told where agents are");
}

#[tokio::test]
async fn the_layer_that_was_added_last_is_the_first() {
    let add = |name: &'static str| {
        middleware::from_fn(move |mut request: Incoming, next: Next| async move {
            request.extensions_mut().insert(customer(name));
            next.run(request).await
        })
    };
    let server = Server::new().agent("/", Desk::new()).layer(add("inner")).layer(add("outer"));
    assert_eq!(result(&run_at("/").send(Served::start(server).await.address).await), "inner");
}

#[tokio::test]
async fn only_what_an_agent_takes_is_cloned() {
    let clones = Arc::new(AtomicUsize::new(0));
    let ada = Customer { name: "Ada".to_owned(), clones: Arc::clone(&clones) };
    let insert = middleware::from_fn(move |mut request: Incoming, next: Next| {
        let ada = Customer { name: ada.name.clone(), clones: Arc::clone(&ada.clones) };
        async move {
            request.extensions_mut().insert(ada);
            next.run(request).await
        }
    });
    let server = Server::new().agent("/desk", Desk::new()).agent("/cook", Cook::new().0).layer(insert);
    let served = Served::start(server).await;
    assert_eq!(result(&run_at("/cook").send(served.address).await), "cook");
    assert_eq!(clones.load(Ordering::Relaxed), 0);
    assert_eq!(result(&run_at("/desk").send(served.address).await), "Ada");
    assert_eq!(clones.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn the_options_of_runs_are_the_servers() {
    let server = Server::new()
        .agent("/", Desk::new())
        .run_options(|parts| {
            let options = RunOptions::default().clock(Clock::fixed(1_700_000_000_000, 1));
            match parts.headers.get("x-name").and_then(|name| name.to_str().ok()) {
                Some(name) => options.request(customer(name)),
                None => options,
            }
        })
        .layer(Extension(customer("from the layer")));
    let served = Served::start(server).await;
    let answer = run_at("/").header("x-name", "from the options").send(served.address).await;
    assert_eq!(answer.events()[0]["timestamp"], 1_700_000_000_000_u64);
    assert_eq!(result(&answer), "from the options");
    assert_eq!(result(&run_at("/").send(served.address).await), "from the layer");
}

thread_local! {
    /// The number of schemas that this test made: its server runs on its thread, and other tests make schemas too.
    static SCHEMAS: Cell<usize> = const { Cell::new(0) };
}

#[derive(Serialize, Deserialize)]
struct Counted(String);

impl JsonSchema for Counted {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Counted".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SCHEMAS.set(SCHEMAS.get() + 1);
        String::json_schema(generator)
    }
}

/// Repeats something.
#[tool]
async fn repeat(shop: &Shop, what: Counted) -> String {
    format!("{} {}", shop.0, what.0)
}

struct Shop(String);

/// Sells from one shop.
#[agent(tools = [repeat])]
async fn seller(run: &mut Run<Seller>, _: Input<Seller>, shop: &Shop) -> Result<String, Stop> {
    assert!(!shop.0.is_empty());
    Ok(run.call(repeat { what: Counted("sells".to_owned()) }).await?.run().await)
}

#[tokio::test]
async fn agents_are_made_for_each_request_from_its_head() {
    let server = Server::new().agent_with("/", |parts| {
        match parts.headers.get("x-shop").and_then(|shop| shop.to_str().ok()) {
            Some("closed") => {
                Err(Rejection::new(StatusCode::SERVICE_UNAVAILABLE, "closed", "come back later"))
            }
            Some(shop) => Ok(Seller::new(Shop(shop.to_owned()))),
            None => Err(Rejection::forbidden("name a shop")),
        }
    });
    // The hash of the manifest is made with the first answer.
    let served = Served::start(server.expose_manifest(false)).await;
    let declared = Request::new("GET", "/capabilities").send(served.address).await;
    assert_eq!(declared.json()["identity"]["name"], "seller");
    assert_eq!(declared.json()["tools"]["items"][0]["name"], "repeat");
    let schemas = SCHEMAS.get();
    assert!(schemas > 0, "the schemas are made on this thread");
    for shop in ["books", "tea", "tea"] {
        let answer = run_at("/").header("x-shop", shop).send(served.address).await;
        assert_eq!(result(&answer), format!("{shop} sells"));
    }
    assert_eq!(error(&run_at("/").send(served.address).await), refused(403, "forbidden"));
    let closed = run_at("/").header("x-shop", "closed").send(served.address).await;
    assert_eq!(error(&closed), refused(503, "closed"));
    assert_eq!(closed.json(), json!({"error": {"code": "closed", "message": "come back later"}}));
    assert_eq!(SCHEMAS.get(), schemas, "no request makes a schema");
}
