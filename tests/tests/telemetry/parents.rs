//! The trace of the caller: read from the request, handed to the program, returned in RUN_STARTED.

use std::sync::{Arc, Mutex};

use agui_runtime::telemetry::TraceContext;
use agui_runtime::{RunOptions, Server};
use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::shop::{a_call_and_an_answer, clerk_with, input, serve};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OTHER: &str = "00-0af7651916cd43dd8448eb211c80319c-00000000000000aa-01";

async fn started(server: Server, input: Value, headers: &[(&str, &str)]) -> Value {
    let address = serve(server.agent("/", clerk_with(a_call_and_an_answer(), []))).await;
    let request = headers
        .iter()
        .fold(Request::run("/", input.to_string()), |request, (name, value)| request.header(name, value));
    request.send(address).await.events().swap_remove(0)
}

#[tokio::test]
async fn run_started_carries_the_trace_of_the_request() {
    let event = started(Server::new(), input(), &[("traceparent", PARENT), ("tracestate", "a=1")]).await;
    assert_eq!(event["metadata"], json!({ "traceparent": PARENT, "tracestate": "a=1" }));
    for malformed in [&[][..], &[("traceparent", "00-nonsense")], &[("tracestate", "a=1")]] {
        let event = started(Server::new(), input(), malformed).await;
        assert_eq!(event.get("metadata"), None, "{malformed:?}");
    }
}

#[tokio::test]
async fn a_legacy_client_gets_no_metadata() {
    let mut old = input();
    old.as_object_mut().unwrap().remove("protocolVersion");
    let event = started(Server::new(), old, &[("traceparent", PARENT)]).await;
    assert_eq!((&event["type"], event.get("metadata")), (&json!("RUN_STARTED"), None));
}

#[tokio::test]
async fn the_program_connects_the_span_and_may_name_its_own_place() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let saw = Arc::clone(&seen);
    let server = Server::new().request_span(move |_, parts| {
        let parent = parts.headers["traceparent"].to_str().unwrap();
        saw.lock().unwrap().push((parts.uri.path().to_owned(), parent.to_owned()));
        TraceContext::parse(OTHER, None)
    });
    let event = started(server, input(), &[("traceparent", PARENT)]).await;
    assert_eq!(event["metadata"], json!({ "traceparent": OTHER }));
    assert_eq!(*seen.lock().unwrap(), [("/".to_owned(), PARENT.to_owned())]);
    let server = Server::new()
        .run_options(|_| RunOptions::default().trace(TraceContext::parse(OTHER, Some("c=3")).unwrap()));
    let event = started(server, input(), &[("traceparent", PARENT)]).await;
    assert_eq!(event["metadata"], json!({ "traceparent": OTHER, "tracestate": "c=3" }));
}
