//! Handlers of other crates: they take and return the same as our own routes.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
use agui_runtime::prelude::*;
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Peer, Server, start};
use agui_tests::http::{Request, Whole};
use agui_tests::need;
use agui_tests::outside::{Conversation, Generation, Node, Turn};
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::post;
use futures::StreamExt;
use serde_json::json;
use tokio::net::TcpListener;

use crate::kitchen::{Cook, Served, asking, asking_as_before};

/// The customer of the request.
#[derive(Clone)]
struct Customer(String);

/// Names the customer.
#[agent]
async fn clerk(_: &mut Run<Clerk>, _: Input<Clerk>, #[request] who: &Customer) -> Result<String, Stop> {
    Ok(who.0.clone())
}

async fn cook(State(cook): State<Arc<Cook>>, input: AgUiInput) -> Result<AgUiResponse, Rejection> {
    assert!(!input.thread_id.as_str().is_empty());
    input.start(cook)
}

async fn customer(Path(name): Path<String>, input: AgUiInput) -> Result<AgUiResponse, Rejection> {
    match name.as_str() {
        "nobody" => input.start(Arc::new(Clerk::new())),
        _ => input.with_options(|options| options.request(Customer(name))).start(Arc::new(Clerk::new())),
    }
}

/// Passes an agent's events on, except for its texts.
async fn mute(State(cook): State<Arc<Cook>>, input: AgUiInput) -> AgUiResponse {
    let (input, options, reply) = input.into_parts();
    assert_eq!(reply.peer() != Peer::Legacy, input.protocol_version.is_some());
    let events = start(cook, input, options);
    reply.stream(events.filter(|event| {
        let is_text = event.event_type().as_str().starts_with("TEXT");
        async move { !is_text }
    }))
}

fn routes() -> Router {
    let by_name = Router::new().route("/who/{name}", post(customer));
    Router::new()
        .route("/hand", post(cook))
        .route("/mute", post(mute))
        .with_state(Arc::new(Cook::new().0))
        .merge(by_name)
}

/// Our cook at `/ours`, and one behind a handler at `/hand`, on one server.
async fn both(change: impl FnOnce(Server) -> Server) -> Served {
    Served::start(change(Server::new().agent("/ours", Cook::new().0).routes(routes()))).await
}

fn compared_parts(answer: &Whole) -> (u16, Option<&str>, Option<&str>, Option<&str>, &[u8]) {
    let header = |name| answer.header(name);
    (
        answer.status,
        header("content-type"),
        header("cache-control"),
        header("x-accel-buffering"),
        &answer.body,
    )
}

#[tokio::test]
async fn handlers_answer_as_our_own_routes_do() {
    let served = both(|server| server).await;
    let retired = json!({
        "threadId": "t", "runId": "r", "state": null, "forwardedProps": null,
        "messages": [{ "id": "1", "role": "user", "content": "who", "unknown": 1 }],
    });
    let requests = |path: &str| {
        vec![
            Request::run(path, asking("who").to_string()),
            Request::run(path, asking("cancel").to_string()),
            Request::run(path, asking("fail").to_string()),
            Request::run(path, asking_as_before("cancel").to_string()),
            Request::run(path, retired.to_string()),
            Request::run(path, asking("who").to_string()).header("accept", proto::CONTENT_TYPE),
            Request::run(path, asking("who").to_string()).without("content-type"),
            Request::run(path, "{"),
            Request::run(path, "[]"),
            Request::run(path, json!({"threadId": 1}).to_string()),
            Request::run(path, json!({"protocolVersion": "2.0"}).to_string()),
            Request::run(path, "").header("content-length", "99999999999").header("expect", "100-continue"),
        ]
    };
    for (number, (ours, theirs)) in requests("/ours").into_iter().zip(requests("/hand")).enumerate() {
        let (ours, theirs) = (ours.send(served.address).await, theirs.send(served.address).await);
        assert_eq!(compared_parts(&ours), compared_parts(&theirs), "request {number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_generations_read_both_encodings_of_a_handler() {
    let node = need!(Node::ready());
    let served = both(|server| server).await;
    let encodings = ["text/event-stream", proto::CONTENT_TYPE];
    let ways: Vec<_> = Generation::ALL
        .into_iter()
        .flat_map(|generation| encodings.map(|encoding| (generation, encoding)))
        .collect();
    let conversations: Vec<_> = ways
        .iter()
        .map(|(generation, encoding)| {
            Conversation::new(format!("http://{}/hand", served.address), *generation)
                .accept(*encoding)
                .then(Turn::say("hello"))
                .then(Turn::say("cancel"))
                .then(Turn::say("who"))
        })
        .collect();
    let reports = tokio::task::block_in_place(|| node.converse_all(&conversations));
    assert_eq!(reports.len(), ways.len());
    for (report, (generation, encoding)) in reports.iter().zip(ways) {
        report.assert_clean();
        assert_eq!(report.turns[0].said(), "Hello naïve 🦀\u{2028}\n", "{generation:?}");
        assert_eq!(report.turns[2].result, "cook", "{generation:?}");
        assert!(report.turns.iter().all(|turn| turn.content_type.as_deref() == Some(encoding)));
    }
}

#[tokio::test]
async fn handlers_have_the_settings_of_their_server() {
    let served = both(|server| server.limits(Limits::default().body_size(200))).await;
    let long = Request::run("/hand", asking(&"x".repeat(300)).to_string()).send(served.address).await;
    assert_eq!((long.status, &long.json()["error"]["code"]), (413, &json!("body_too_large")));

    let served = both(|server| server.assume_peer(Peer::CURRENT)).await;
    let cancelled = Request::run("/hand", asking_as_before("cancel").to_string()).send(served.address).await;
    assert_eq!(cancelled.events().last().unwrap()["outcome"]["type"], "cancelled");

    let served = both(|server| server.keep_alive(Duration::from_millis(5))).await;
    let mut quiet = Request::run("/hand", asking("wait").to_string()).open(served.address).await;
    let heard = quiet.until(":").await;
    assert!(heard.contains("waiting") || heard.contains("RUN_STARTED"), "{heard}");
    quiet.until("\n:").await;

    let mut served = both(|server| server.limits(Limits::default().shutdown_grace(Duration::ZERO))).await;
    let mut waiting = Request::run("/hand", asking("wait").to_string()).open(served.address).await;
    waiting.until("waiting").await;
    served.stop();
    let end = waiting.whole().await;
    assert!(!end.cut && end.text().contains(r#""code":"shutdown""#), "{}", end.text());
    served.ended().await.unwrap();
}

#[tokio::test]
async fn handlers_pass_the_customer_on() {
    let served = both(|server| server).await;
    let known = Request::run("/who/Ada", asking("").to_string()).send(served.address).await;
    assert_eq!(known.events().last().unwrap()["result"], "Ada");
    let unknown = Request::run("/who/nobody", asking("").to_string()).send(served.address).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (401, &json!("missing_request_value")));
}

#[tokio::test]
async fn handlers_may_change_the_stream() {
    let served = both(|server| server).await;
    for input in [asking("hello"), asking_as_before("hello")] {
        let answer = Request::run("/mute", input.to_string()).send(served.address).await;
        let events = answer.events();
        let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(types, ["RUN_STARTED", "RUN_FINISHED"]);
    }
}

/// Outside of a server, the default limits apply.
#[tokio::test]
async fn handlers_need_no_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async move { axum::serve(listener, routes()).await });
    let answer = Request::run("/hand", asking("who").to_string()).send(address).await;
    assert_eq!(answer.events().last().unwrap()["result"], "cook");
    let long =
        Request::run("/hand", "").header("content-length", "99999999").header("expect", "100-continue");
    assert_eq!(long.send(address).await.status, 413);
    task.abort();
}
