//! The example as it runs: its metrics and traces are read, and drawn as the pictures of the guide.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test"
)]

mod collector;
mod dashboard;
mod picture;
mod prometheus;
mod reader;
mod waterfall;

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

use collector::{Collector, Span};
use prometheus::Metrics;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// Against hangs.
const PATIENCE: Duration = Duration::from_secs(60);

fn asking(thread: &str, text: &str) -> Request {
    let input = json!({
        "threadId": thread,
        "runId": "r-1",
        "protocolVersion": "1.0",
        "messages": [{ "id": "u-1", "role": "user", "content": text }],
    });
    Request::run("/", input.to_string())
}

/// Asks for dishes: twice with success, once with a model that fails, once wrongly.
async fn talk(address: SocketAddr) -> Value {
    let parent = format!("00-{TRACE}-{CALLER}-01");
    let traced = asking("t-1", "What can I cook?").header("traceparent", &parent).send(address).await;
    assert!(traced.text().contains("RUN_FINISHED"), "{}", traced.text());
    assert!(asking("t-2", "And today?").send(address).await.text().contains("RUN_FINISHED"));
    let failed = asking("t-3", "Anything with truffles?").send(address).await;
    assert!(failed.text().contains(r#""code":"model_failed""#), "{}", failed.text());
    assert_eq!(Request::run("/", "{").send(address).await.status, 400);
    traced.events().swap_remove(0)
}

fn terminate(server: &ExampleServer) {
    let killed = Command::new("kill").args(["-TERM", &server.pid().to_string()]).status().unwrap();
    assert!(killed.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_metrics_and_traces_tell_what_happened() {
    let collector = Collector::start().await;
    let mut program = Command::new(env!("CARGO_BIN_EXE_observed"));
    program.env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
    let mut server = ExampleServer::spawn("observed", program, PATIENCE).unwrap();
    let address: SocketAddr = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    let started = talk(address).await;
    let text = Request::new("GET", "/metrics").send(address).await.text().to_owned();
    // It sends the last spans before it ends.
    terminate(&server);
    let ended = async {
        while server.is_running() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, ended).await.expect("the server does not end");

    let spans = collector.spans();
    let trace: Vec<Span> = spans.iter().filter(|span| span.trace == TRACE).cloned().collect();
    check_trace(&trace, &started);
    let failed = spans.iter().find(|span| span.name == "chat script" && span.is_error).unwrap();
    assert_eq!(failed.attributes["error.type"], "overloaded");
    let metrics = Metrics::read(&text);
    check_metrics(&metrics);

    let (of_trace, of_metrics) = (waterfall::draw(&trace), dashboard::draw(&metrics));
    reader::check_trace(&of_trace, &trace);
    reader::check_dashboard(&of_metrics, &metrics);
    // The pictures of the guide are from an earlier run, whose numbers they have.
    reader::check_proportions(&picture::keep("trace", &of_trace), 1);
    reader::check_proportions(&picture::keep("dashboard", &of_metrics), 2);
}

/// A collector that accepts connections, and never answers.
#[tokio::test]
async fn a_collector_that_hangs_is_no_failure_of_the_agent() {
    let collector = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_observed"));
    program.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", collector.local_addr().unwrap()));
    let mut server = ExampleServer::spawn("observed", program, PATIENCE).unwrap();
    let address: SocketAddr = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    assert!(asking("t", "What can I cook?").send(address).await.text().contains("RUN_FINISHED"));
    terminate(&server);
    let ended = async {
        let mut held = Vec::new();
        loop {
            if let Some(status) = server.ended() {
                break (status, held.len());
            }
            if let Ok(accepted) = timeout(Duration::from_millis(20), collector.accept()).await {
                held.push(accepted.unwrap());
            }
        }
    };
    let (status, connections) = timeout(PATIENCE, ended).await.expect("the server does not end");
    assert!(connections > 0, "it sent nothing");
    assert!(status.success(), "{status}: {}", server.output());
    let told = server.output();
    assert!(told.contains("the last traces may be lost: the collector does not answer"), "{told}");
}

fn check_trace(trace: &[Span], started: &Value) {
    let tree = collector::tree(trace, CALLER);
    assert_eq!(
        tree,
        "POST /\n  \
           invoke_agent cook\n    \
             chat script\n    \
             execute_tool pantry\n    \
             execute_tool price\n    \
             chat script\n"
    );
    let request = trace.iter().find(|span| span.name == "POST /").unwrap();
    // The client learns the place of the request's span.
    let place = format!("00-{TRACE}-{}-01", request.id);
    assert_eq!(started["metadata"]["traceparent"], place, "{started}");
    let of = |name: &str, attribute: &str| {
        let span = trace.iter().find(|span| span.name == name).unwrap();
        span.attributes.get(attribute).cloned().unwrap_or_default()
    };
    for (name, attribute, expected) in [
        ("POST /", "http.response.status_code", "200"),
        ("invoke_agent cook", "gen_ai.conversation.id", "t-1"),
        ("chat script", "gen_ai.request.model", "script"),
        ("chat script", "gen_ai.usage.input_tokens", "120"),
        ("execute_tool price", "gen_ai.tool.name", "price"),
    ] {
        assert_eq!(of(name, attribute), expected, "{name} {attribute}");
    }
    let kinds = [("POST /", collector::SERVER), ("chat script", collector::CLIENT)];
    for (name, kind) in kinds {
        assert_eq!(trace.iter().find(|span| span.name == name).unwrap().kind, kind, "{name}");
    }
    for (inner, outer) in [("execute_tool price", "invoke_agent cook"), ("invoke_agent cook", "POST /")] {
        let find = |name: &str| trace.iter().find(|span| span.name == name).unwrap();
        let (inner, outer) = (find(inner), find(outer));
        assert!(outer.begin <= inner.begin && inner.end <= outer.end, "{inner:?} is not within {outer:?}");
    }
}

fn check_metrics(metrics: &Metrics) {
    for (name, labels, expected) in [
        ("gen_ai_invoke_agent_duration_count", r#"gen_ai_agent_name="cook""#, 2.0),
        ("gen_ai_invoke_agent_duration_count", r#"gen_ai_agent_name="cook",error_type="model_failed""#, 1.0),
        ("gen_ai_invoke_agent_inference_calls_sum", r#"gen_ai_agent_name="cook""#, 5.0),
        ("gen_ai_invoke_agent_tool_calls_sum", r#"gen_ai_agent_name="cook""#, 4.0),
        (
            "gen_ai_execute_tool_duration_count",
            r#"gen_ai_tool_name="price",gen_ai_tool_type="function""#,
            2.0,
        ),
        ("agui_requests_refused_total", r#"code="invalid_json""#, 1.0),
        ("agui_events_total", r#"type="RUN_STARTED""#, 3.0),
        ("agui_runs_open", "", 0.0),
    ] {
        assert_eq!(metrics.value(name, labels), Some(expected), "{name}{{{labels}}}: {metrics:#?}");
    }
    let tokens: f64 = metrics.all("gen_ai_client_token_usage_sum").map(|(_, tokens)| tokens).sum();
    assert_eq!(tokens, 2.0 * f64::from(120 + 31 + 310 + 24));
}
