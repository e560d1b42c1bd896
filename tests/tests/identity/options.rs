//! The settings of a server and the options of a run: an option of the run overrides the server's.

use std::net::SocketAddr;
use std::sync::Arc;

use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Interrupt as Question;
use agui_runtime::{InterruptKey, Peer, RunOptions, Server};
use agui_tests::http::Request;
use axum::extract::Request as Incoming;
use axum::middleware::{self, Next};
use axum::routing::post;
use axum::{Extension, Router};
use serde_json::{Value, json};

use crate::kitchen::{Served, asking, asking_as_before};

/// The customer of the request.
#[derive(Clone)]
struct Customer(String);

/// Asks once, and acts on the answer.
#[agent]
async fn sure(
    _: &mut Run<Sure>,
    input: Input<Sure>,
    #[request] who: Option<&Customer>,
) -> Result<String, Stop> {
    match &input.resume() {
        [] if input.user_text().as_deref() == Some("fail") => Err("password=hunter2")?,
        [] if input.user_text().as_deref() == Some("cancel") => Err(Stop::cancelled()),
        [] => Err(Stop::interrupt(Question::new("sure", "confirmation"))),
        answers => {
            let who = who.map_or("a stranger", |who| &who.0);
            Ok(format!("{who} said {:?}", answers[0].interrupt_id.as_str()))
        }
    }
}

fn key(number: u8) -> InterruptKey {
    InterruptKey::new([number; 32]).unwrap()
}

/// Copies the header into the extensions.
async fn identify(mut request: Incoming, next: Next) -> axum::response::Response {
    let who = request.headers().get("x-customer").map(|who| Customer(who.to_str().unwrap().to_owned()));
    if let Some(who) = who {
        request.extensions_mut().insert(who);
    }
    next.run(request).await
}

async fn serve(server: Server) -> SocketAddr {
    let server = server.agent("/", Sure::new()).layer(middleware::from_fn(identify));
    let served = Served::start(server).await;
    let address = served.address;
    // The server ends with the runtime of the test.
    std::mem::forget(served);
    address
}

async fn last(address: SocketAddr, path: &str, who: Option<&str>, input: &Value) -> Value {
    let request = Request::run(path, input.to_string());
    let request = match who {
        Some(who) => request.header("x-customer", who),
        None => request,
    };
    request.send(address).await.events().pop().unwrap()
}

/// The input that answers the question of a run.
async fn asked(address: SocketAddr, path: &str, who: Option<&str>) -> Value {
    let end = last(address, path, who, &asking("do it")).await;
    let id = end["outcome"]["interrupts"][0]["id"].clone();
    assert!(id.is_string(), "{end:#}");
    let mut input = asking("do it");
    input["resume"] = json!([{ "interruptId": id, "status": "resolved", "payload": true }]);
    input
}

const DONE: &str = "a stranger said \"sure\"";
const NOT_ASKED: &str = "interrupt_not_asked";

async fn assert_counts(address: SocketAddr, answer: &Value) {
    assert_eq!(last(address, "/", None, answer).await["result"], DONE);
}

async fn assert_refused(address: SocketAddr, answer: &Value) {
    assert_eq!(last(address, "/", None, answer).await["code"], NOT_ASKED);
}

#[tokio::test]
async fn the_key_of_a_server_signs_where_the_options_name_none() {
    let plain = || Server::new().run_options(|_| RunOptions::default().last_snapshot(true));
    let first = serve(plain().interrupt_key(key(1))).await;
    let same = serve(Server::new().interrupt_key(key(1))).await;
    let other = serve(plain().interrupt_key(key(2))).await;
    let of_process = serve(plain()).await;
    let answer = asked(first, "/", None).await;
    assert_refused(other, &answer).await;
    assert_refused(of_process, &answer).await;
    assert_counts(same, &answer).await;

    let own = serve(
        Server::new().interrupt_key(key(2)).run_options(|_| RunOptions::default().interrupt_key(key(1))),
    )
    .await;
    let answer = asked(own, "/", None).await;
    assert_refused(other, &answer).await;
    assert_counts(first, &answer).await;
}

#[tokio::test]
async fn a_run_may_be_signed_on_a_server_that_signs_nothing_and_the_other_way_round() {
    let unsigned = || Server::new().interrupt_key(key(3)).unsigned_interrupts(true);
    let invented = || {
        let mut input = asking("do it");
        input["resume"] = json!([{ "interruptId": "sure", "status": "resolved" }]);
        input
    };
    let open = serve(unsigned()).await;
    assert_counts(open, &invented()).await;
    let signed = serve(unsigned().run_options(|_| RunOptions::default().unsigned_interrupts(false))).await;
    assert_refused(signed, &invented()).await;
    let again = serve(unsigned().unsigned_interrupts(false)).await;
    assert_refused(again, &invented()).await;
    // Both have the key that the server had before.
    assert_counts(again, &asked(signed, "/", None).await).await;
    let test = serve(Server::new().run_options(|_| RunOptions::default().unsigned_interrupts(true))).await;
    assert_counts(test, &invented()).await;
}

#[tokio::test]
async fn errors_are_revealed_as_the_run_says_or_else_the_server() {
    for (server, run, revealed) in [
        // A server in development, on this machine.
        (None, None, cfg!(debug_assertions)),
        (None, Some(false), false),
        (Some(false), None, false),
        (Some(true), None, true),
        (Some(true), Some(false), false),
        (None, Some(true), true),
        (Some(false), Some(true), true),
    ] {
        let of_run = move |_: &_| {
            let options = RunOptions::default().last_snapshot(true);
            run.map_or(options.clone(), |run| options.reveal_errors(run))
        };
        let all = server.map_or(Server::new(), |reveal| Server::new().reveal_errors(reveal));
        let address = serve(all.run_options(of_run)).await;
        let error = last(address, "/", None, &asking("fail")).await;
        assert_eq!(error["code"], "internal_error");
        let shown = error["message"].as_str().unwrap().contains("hunter2");
        assert_eq!(shown, revealed, "server {server:?}, run {run:?}: {error}");
    }
}

/// Replaces all options by new ones.
async fn replaced(input: AgUiInput) -> Result<AgUiResponse, Rejection> {
    input.with_options(|_| RunOptions::default()).start(Arc::new(Sure::new()))
}

async fn in_parts(input: AgUiInput) -> AgUiResponse {
    let (input, options, reply) = input.with_options(|_| RunOptions::default()).into_parts();
    reply.stream(agui_runtime::start(Arc::new(Sure::new()), input, options))
}

/// Sets another peer than the client declares.
async fn for_legacy_clients(input: AgUiInput) -> Result<AgUiResponse, Rejection> {
    input.with_options(|options| options.peer(Peer::Legacy)).start(Arc::new(Sure::new()))
}

#[tokio::test]
async fn options_that_a_handler_replaces_lose_nothing_that_the_server_says() {
    let routes = Router::new()
        .route("/replaced", post(replaced))
        .route("/parts", post(in_parts))
        .route("/old", post(for_legacy_clients))
        .layer(Extension(Customer("Ada".to_owned())));
    let server = Server::new()
        .interrupt_key(key(4))
        .reveal_errors(true)
        .assume_peer(Peer::CURRENT)
        .identity(|who: &Customer| who.0.clone());
    let address = serve(server.routes(routes)).await;
    for path in ["/replaced", "/parts"] {
        let answer = asked(address, path, None).await;
        // With the server's key, and for the customer in the extensions.
        assert_refused(address, &answer).await;
        assert_eq!(last(address, "/", Some("Ada"), &answer).await["result"], "Ada said \"sure\"", "{path}");
        let error = last(address, path, None, &asking("fail")).await;
        assert!(error["message"].as_str().unwrap().contains("hunter2"), "{path}: {error}");
        let end = last(address, path, None, &asking_as_before("cancel")).await;
        assert_eq!(end["outcome"]["type"], "cancelled", "{path}: the server takes it for a current client");
    }
    let end = last(address, "/old", None, &asking("cancel")).await;
    assert_eq!((end["type"].as_str(), end.get("outcome")), (Some("RUN_FINISHED"), None));
}

#[tokio::test]
async fn a_question_is_asked_of_the_customer_that_the_server_knows() {
    let address = serve(Server::new().identity(|who: &Customer| who.0.clone())).await;
    let answer = asked(address, "/", Some("Ada")).await;
    for other in [None, Some("Eve"), Some("ada")] {
        assert_eq!(last(address, "/", other, &answer).await["code"], NOT_ASKED, "{other:?}");
    }
    assert_eq!(last(address, "/", Some("Ada"), &answer).await["result"], "Ada said \"sure\"");
    assert_eq!(last(address, "/", Some("Ada"), &answer).await["code"], "interrupt_used");
    // The options name another party.
    let by_tenant = serve(
        Server::new()
            .identity(|who: &Customer| who.0.clone())
            .run_options(|_| RunOptions::default().subject("a tenant")),
    )
    .await;
    let answer = asked(by_tenant, "/", Some("Ada")).await;
    assert_eq!(last(by_tenant, "/", Some("Eve"), &answer).await["result"], "Eve said \"sure\"");
}
