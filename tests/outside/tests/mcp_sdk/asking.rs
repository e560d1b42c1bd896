//! Servers of others that ask the user: `server-everything`, and the newest SDKs in TypeScript and Python, in both generations.

use std::process::{Command, Stdio};
use std::sync::Arc;

use agui_runtime::mcp::{McpClient, McpGeneration};
use agui_runtime::model::{PromptMessage, Reply, ScriptedModel};
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt, Message, NonNull, ResumeEntry, ResumeStatus,
    RunAgentInput, ToolCall, UserMessage,
};
use agui_runtime::testing::{self, RunEnd};
use agui_tests::need;
use agui_tests::outside::{McpPackages, McpPeer};
use serde_json::{Value, json};

use crate::everything::{Clerk, block_on};

/// A call whose tool asked the user.
struct Asked {
    question: Interrupt,
    tool: &'static str,
    arguments: Value,
}

/// Runs the clerk; returns the events, and the results that the model read last.
async fn run(server: &McpClient, script: Vec<Reply>, input: RunAgentInput) -> (Vec<Event>, String) {
    let model = Arc::new(ScriptedModel::new(script));
    let events = testing::run(Clerk::new(Arc::clone(&model).into(), server.clone()), input).await;
    let prompts = model.prompts();
    let messages = prompts.last().map(|prompt| prompt.messages.clone()).unwrap_or_default();
    let results = messages.into_iter().rev().find_map(|message| match message {
        PromptMessage::Tools(results) => Some(results),
        _ => None,
    });
    let text = results.and_then(|results| Some(results.last()?.content.text().into_owned()));
    (events, text.unwrap_or_default())
}

fn question(events: &[Event]) -> Interrupt {
    match testing::end(events) {
        RunEnd::Interrupt([question]) => question.clone(),
        other => panic!("{other:?}\n{}", testing::lines(events)),
    }
}

async fn asked(server: &McpClient, tool: &'static str, arguments: Value) -> Asked {
    let script = vec![Reply::call(tool, arguments.clone())];
    let (events, _) = run(server, script, testing::input("Go.")).await;
    Asked { question: question(&events), tool, arguments }
}

impl Asked {
    /// The run that brings the input.
    async fn resumed(&self, server: &McpClient, payload: Option<Value>) -> (Vec<Event>, String) {
        let id = self.question.tool_call_id.clone().unwrap();
        let call = ToolCall::new(id, FunctionCall::new(self.tool, self.arguments.to_string()));
        let said: Message = UserMessage::new("user-1", "Go.").into();
        let mut input = testing::input("Go.");
        input.messages = vec![said, AssistantMessage::new("turn-1").with_tool_calls([call]).into()];
        input.run_id = "run-2".into();
        let status = if payload.is_some() { ResumeStatus::Resolved } else { ResumeStatus::Cancelled };
        let mut entry = ResumeEntry::new(self.question.id.clone(), status);
        entry.payload = payload.and_then(NonNull::new);
        run(server, vec![Reply::text("Done.")], input.with_resume([entry])).await
    }
}

async fn spawned(mut command: Command, generation: Option<McpGeneration>) -> McpClient {
    command.stderr(Stdio::null());
    let connecting = McpClient::command(command.into());
    match generation {
        Some(generation) => connecting.generation(generation).await.unwrap(),
        None => connecting.await.unwrap(),
    }
}

/// `server-everything` asks for a form with all kinds of fields, and in the middle of the call.
async fn converse_with_everything(server: &McpClient) {
    let form = asked(server, "trigger-elicitation-request", json!({})).await;
    let schema = json!(form.question.response_schema);
    assert_eq!(schema["properties"]["email"]["format"], "email", "{schema}");
    assert_eq!(schema["properties"]["integer"]["maximum"], 100, "{schema}");
    let (_, text) = form.resumed(server, Some(json!({ "name": "Ada Lovelace", "integer": 7 }))).await;
    assert!(text.contains("Ada Lovelace"), "{text}");
    let form = asked(server, "trigger-elicitation-request", json!({})).await;
    let (_, text) = form.resumed(server, None).await;
    assert!(text.to_lowercase().contains("cancel"), "{text}");
    let form = asked(server, "trigger-elicitation-request", json!({})).await;
    let (events, _) = form.resumed(server, Some(json!({ "name": "Ada", "integer": 700 }))).await;
    let RunEnd::Failed { code, .. } = testing::end(&events) else { panic!("{events:?}") };
    assert_eq!(code, Some("resume_invalid_response"));
}

#[test]
fn everything_asks_in_the_middle_of_a_call() {
    let packages = need!(McpPackages::ready());
    block_on(async {
        let server = spawned(packages.everything(), None).await;
        converse_with_everything(&server).await;
        server.close().await;
        let everything = packages.everything_over_http();
        let server = McpClient::http(everything.url()).await.unwrap();
        converse_with_everything(&server).await;
    });
}

/// A program that starts late, as one that a package manager has to download first.
fn late(command: &Command) -> Command {
    let mut late = Command::new("sh");
    late.args(["-c", r#"sleep 2; exec "$0" "$@""#]).arg(command.get_program()).args(command.get_args());
    late.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    late
}

#[test]
fn typescript_of_our_generation_asks_twice_in_one_call() {
    let packages = need!(McpPackages::ready());
    block_on(async {
        for command in [packages.asking(), late(&packages.asking())] {
            ask_twice(command).await;
        }
    });
}

async fn ask_twice(command: Command) {
    let server = spawned(command, Some(McpGeneration::Discover)).await;
    assert_eq!(server.protocol_version(), "2026-07-28");
    let form = asked(&server, "book", json!({})).await;
    assert!(form.question.message.as_ref().unwrap().ends_with("asks: For whom?"));
    let (events, _) = form.resumed(&server, Some(json!({ "name": "Ada" }))).await;
    let address = Asked { question: question(&events), ..form };
    assert!(address.question.message.as_ref().unwrap().ends_with("https://pay.example/1"));
    let (_, text) = address.resumed(&server, Some(json!({ "approved": true }))).await;
    assert_eq!(text, "Ada accept 3", "the call was made once for each question, and once for the result");
    server.close().await;
}

#[test]
fn python_asks_in_both_generations() {
    need!(McpPeer::asking_python());
    block_on(async {
        for generation in [McpGeneration::Discover, McpGeneration::Handshake] {
            let server = spawned(McpPeer::asking_python().unwrap(), Some(generation)).await;
            let form = asked(&server, "book", json!({ "persons": 4 })).await;
            assert!(form.question.message.as_ref().unwrap().ends_with("asks: For whom?"), "{generation:?}");
            let (_, text) = form.resumed(&server, Some(json!({ "name": "Ada" }))).await;
            assert_eq!(text, "4 for Ada", "{generation:?}");
            server.close().await;
        }
    });
}
