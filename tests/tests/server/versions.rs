//! A handler's own stream for clients of earlier versions: they get no later members, and the log has what they lose.

use std::process::Command;

use agui_runtime::Server;
use agui_runtime::http::{AgUiInput, AgUiResponse};
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, EncryptedValue, Event, FunctionCall, JsonObject,
    MessagesSnapshotEvent, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningMessage,
    RunAgentInput, RunFinishedEvent, RunStartedEvent, ToolCall, UserMessage,
};
use agui_tests::http::Request;
use agui_tests::log::Log;
use axum::Router;
use axum::routing::post;
use futures::stream;
use serde_json::{Value, json};
use tracing::Level;

use crate::kitchen::{Served, asking};

const TYPE: &str = "acme.signature";

/// Restates the conversation twice, with typed values and types without a value.
async fn restate(input: AgUiInput) -> AgUiResponse {
    let (input, _, reply) = input.into_parts();
    let signed = || EncryptedValue::new("x").with_type(TYPE);
    let call = ToolCall::new("c", FunctionCall::new("price", "{}"));
    let messages = vec![
        UserMessage::new("u", "Hi").with_encrypted(signed()).into(),
        AssistantMessage::new("a")
            .with_tool_calls([call.with_encrypted(signed())])
            .with_encrypted_value_type(TYPE)
            .into(),
        AssistantMessage::new("b")
            .with_tool_calls([
                ToolCall::new("d", FunctionCall::new("price", "{}")).with_encrypted_value_type(TYPE)
            ])
            .into(),
        ReasoningMessage::new("r", "Hm.").with_encrypted_value_type(TYPE).into(),
        ActivityMessage::new("p", "PLAN", JsonObject::new()).into(),
    ];
    let (thread, run) = (input.thread_id.clone(), input.run_id.clone());
    let echo = RunAgentInput::new(thread.clone(), run.clone(), messages.clone());
    let started = RunStartedEvent::new(thread.clone(), run.clone()).with_protocol_version("1.1");
    let of_message = ReasoningEncryptedValueSubtype::Message;
    let value = ReasoningEncryptedValueEvent::new(of_message, "u", "y").with_encrypted_value_type(TYPE);
    let events: Vec<Event> = vec![
        started.with_input(Box::new(echo)).into(),
        MessagesSnapshotEvent::new(messages.clone()).into(),
        MessagesSnapshotEvent::new(messages).into(),
        value.into(),
        RunFinishedEvent::new(thread, run).into(),
    ];
    reply.stream(stream::iter(events))
}

#[tokio::test]
async fn a_handlers_stream_has_what_the_clients_version_has_and_the_log_has_the_loss() {
    let routes = Router::new().route("/restate", post(restate));
    let served = Served::start(Server::new().routes(routes)).await;
    for (version, declared, types) in
        [(None, "1.0", 0), (Some("1.0"), "1.0", 0), (Some("1.1"), "1.1", 7), (Some("1.7"), "1.1", 7)]
    {
        for accept in ["text/event-stream", "application/vnd.ag-ui.event+proto"] {
            let mut input = asking("restate");
            match version {
                Some(version) => input["protocolVersion"] = json!(version),
                None => drop(input.as_object_mut().unwrap().remove("protocolVersion")),
            }
            let (log, _recording) = Log::record(Level::WARN);
            let request = Request::run("/restate", input.to_string()).header("accept", accept);
            let events: Vec<Value> = match accept {
                "text/event-stream" => request.send(served.address).await.events(),
                _ => {
                    let body = request.send(served.address).await.body;
                    crate::binary::events(&body).iter().map(|event| json!(event)).collect()
                }
            };
            let what = format!("{version:?}, {accept}: {events:#?}");
            assert_eq!(events.len(), 5, "{what}");
            assert_eq!(events[0]["protocolVersion"], declared, "{what}");
            let text = json!(events).to_string();
            assert_eq!(text.matches(TYPE).count(), types, "{what}");
            assert_eq!(text.matches(r#""encryptedValue":"#).count(), 7, "{what}");
            let lines = log.take();
            let warnings = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
            assert_eq!(warnings("types without encrypted values"), 1, "{what} {lines:#?}");
            assert_eq!(warnings("lacks members or an event"), usize::from(types == 0), "{what} {lines:#?}");
        }
    }
}

/// Set in the process that a test starts.
const INSIDE: &str = "AGUI_TEST_INSIDE";

/// A process reports once, so that the count needs a process without other tests.
#[test]
fn a_newer_version_is_reported_once_in_a_process() {
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        println!("\nwarnings: {}", runtime.block_on(warnings_about_newer_versions()));
        return;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "versions::a_newer_version_is_reported_once_in_a_process", "--nocapture"]);
    let output = command.env(INSIDE, "1").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let warnings = text.lines().find_map(|line| line.strip_prefix("warnings: "));
    assert_eq!(warnings, Some("0, 0, 1, 0, 0, 0"), "{text}");
}

/// Returns the number for each request, to two servers in this process.
async fn warnings_about_newer_versions() -> String {
    let servers = [Served::cook().await, Served::cook().await];
    let mut counts = Vec::new();
    for (version, at) in [("1.0", 0), ("1.1", 0), ("1.7", 0), ("1.7", 0), ("1.8", 0), ("1.7", 1)] {
        let mut input = asking("hello");
        input["protocolVersion"] = json!(version);
        let (log, _recording) = Log::record(Level::WARN);
        let answer = Request::run("/", input.to_string()).send(servers[at].address).await;
        assert_eq!(answer.status, 200, "{version}");
        let lines = log.take();
        counts.push(lines.iter().filter(|line| line.contains("newer version")).count().to_string());
    }
    counts.join(", ")
}
