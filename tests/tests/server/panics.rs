//! Code of users that panics where no agent runs: before a run, and in the stream of a handler.

use std::task::Poll;

use agui_runtime::http::{AgUiInput, AgUiResponse};
use agui_runtime::protocol::{
    Event, RunFinishedEvent, RunStartedEvent, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageStartEvent,
};
use agui_runtime::{RunOptions, Server};
use agui_tests::http::{Request, Whole};
use axum::Router;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use axum::routing::post;
use futures::{StreamExt, stream};
use serde_json::json;

use crate::kitchen::{Cook, Served, asking, asking_as_before};

#[derive(Clone)]
struct Customer;

fn is_answered(answer: &Whole, origin: &str) {
    assert_eq!(answer.status, 500, "{}", answer.text());
    let body = json!({ "error": {
        "code": "internal",
        "message": "the server panicked while it read the request: see the log",
    } });
    assert_eq!(answer.json(), body);
    // The page that asked can read it.
    assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
}

fn panics() -> bool {
    std::hint::black_box(true)
}

#[tokio::test]
async fn a_panic_before_the_run_is_an_answer() {
    let cook = || Cook::new().0;
    let handler = post(async |input: AgUiInput| {
        assert!(!panics(), "deliberate secret of {}", input.thread_id.as_str());
    });
    let layer = from_fn(|request: AxumRequest, next: Next| async move {
        assert!(!panics(), "deliberate secret");
        next.run(request).await
    });
    let customer = from_fn(|mut request: AxumRequest, next: Next| async move {
        request.extensions_mut().insert(Customer);
        next.run(request).await
    });
    let servers = [
        Server::new().agent_with("/", move |_| {
            assert!(!panics(), "deliberate secret");
            Ok(cook())
        }),
        Server::new().agent("/", cook()).run_options(|parts| {
            assert!(!panics(), "deliberate secret of {}", parts.uri);
            RunOptions::default()
        }),
        Server::new().agent("/", cook()).layer(customer).identity(|_: &Customer| {
            assert!(!panics(), "deliberate secret");
            String::new()
        }),
        Server::new().agent("/", cook()).layer(layer),
        Server::new().routes(Router::new().route("/", handler)),
    ];
    let origin = "http://localhost:3000";
    for server in servers {
        let served = Served::start(server).await;
        for _ in 0..2 {
            let run = Request::run("/", asking("who").to_string()).header("origin", origin);
            is_answered(&run.send(served.address).await, origin);
        }
    }
}

/// Says two words and panics, before the end of its run or after it.
async fn breaks(input: AgUiInput) -> AgUiResponse {
    let is_over = input.messages.iter().any(|message| format!("{message:?}").contains("after the end"));
    let (input, _, reply) = input.into_parts();
    let mut events: Vec<Event> = vec![
        RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone()).into(),
        TextMessageStartEvent::new("m").into(),
        TextMessageContentEvent::new("m", "half a").into(),
    ];
    if is_over {
        events.push(TextMessageEndEvent::new("m").into());
        events.push(RunFinishedEvent::new(input.thread_id.clone(), input.run_id.clone()).into());
    }
    let panic = stream::poll_fn(|_| -> Poll<Option<Event>> { panic!("deliberate secret") });
    reply.stream(stream::iter(events).chain(panic))
}

#[tokio::test]
async fn a_panic_in_the_stream_of_a_handler_ends_its_run_in_an_error() {
    let served = Served::start(Server::new().routes(Router::new().route("/", post(breaks)))).await;
    for input in [asking("who"), asking_as_before("who")] {
        let answer = Request::run("/", input.to_string()).send(served.address).await;
        let events = answer.events();
        let last = events.last().unwrap();
        assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("panic")), "{events:?}");
        assert_eq!(last["message"], "the agent panicked (run r-1)");
        assert!(answer.text().contains("half a") && !answer.text().contains("secret"));
    }
    // No error may follow the end of a run.
    let events = Request::run("/", asking("after the end").to_string()).send(served.address).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}
