//! Code of users that panics where no agent runs yet.

use agui_runtime::http::AgUiInput;
use agui_runtime::{RunOptions, Server};
use agui_tests::http::{Request, Whole};
use axum::Router;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use axum::routing::post;
use serde_json::json;

use crate::kitchen::{Cook, Served, asking};

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
