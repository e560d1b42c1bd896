//! Transcripts of programs of the world, with the outcome of the run: `tests/fixtures/providers` has the transcripts, and
//! `agui-runtime/providers/src/docs/quirks.md` a row for each.

use std::sync::{Arc, Mutex};

use agui_runtime::model::Model;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::provider::HostedModel;
use agui_runtime::testing;
use agui_tests::log::Log;
use agui_tests::outside::workspace_dir;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::server::{Answer, Server};

#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<Vec<u32>>>);

/// Orders something.
#[tool]
async fn order(ledger: &Ledger, number: u32) -> bool {
    ledger.0.lock().unwrap().push(number);
    true
}

/// Takes orders.
#[agent(tools = [order])]
async fn waiter(run: &mut Run<Waiter>, _: Input<Waiter>, model: &Model, ledger: &Ledger) -> Result<(), Stop> {
    let _ = ledger;
    run.chat(model).await
}

#[derive(Deserialize)]
struct Transcript {
    case: String,
    dialect: String,
    answers: Vec<Sent>,
    expect: Expected,
}

#[derive(Deserialize)]
struct Sent {
    status: u16,
    headers: Map<String, Value>,
    body: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    text: String,
    reasoning: Option<String>,
    #[serde(default)]
    calls: Vec<u32>,
    /// A part of the message of RUN_ERROR.
    error: Option<String>,
    requests: Option<usize>,
    /// The number of messages of the assistant.
    messages: Option<usize>,
    path: Option<String>,
    /// A part of the warning about what was not read.
    unread: Option<String>,
    /// The members that go back with the assistant's message of the second request, by its place there.
    #[serde(default)]
    returned: Map<String, Value>,
}

impl Transcript {
    /// Returns the text that names the model behind the server.
    fn model(&self, port: u16) -> String {
        let name = match self.dialect.as_str() {
            "openai-chat" => return format!("http://127.0.0.1:{port}/v1#m"),
            "openai-responses" => "openai",
            "anthropic" => "anthropic",
            "gemini" => "gemini",
            address => return address.replace("PORT", &port.to_string()),
        };
        format!("{name}:m@http://127.0.0.1:{port}/v1/")
    }

    /// Plays the transcript, and returns what is wrong.
    fn play(&self) -> Vec<String> {
        let answers: Vec<_> = self.answers.iter().map(Sent::answer).collect();
        let server = Server::start(answers);
        let model = HostedModel::with_keys(&self.model(server.port()), |_| Some("a key".to_owned())).unwrap();
        let ledger = Ledger::default();
        let (log, recording) = Log::record(tracing::Level::WARN);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let waiter = Waiter::new(Model::from(model), ledger.clone());
        let options = testing::options().reveal_errors(true);
        let events = runtime.block_on(testing::run_with(waiter, testing::input("Order 8."), options));
        drop(recording);
        let mut wrong = Vec::new();
        let mut compare = |what: &str, is: String, right: String| {
            if is != right {
                wrong.push(format!("{}: {what} is {is}, not {right}", self.case));
            }
        };
        let expect = &self.expect;
        compare("the text", texts(&events, false), expect.text.clone());
        if let Some(reasoning) = &expect.reasoning {
            compare("the reasoning", texts(&events, true), reasoning.clone());
        }
        compare(
            "the list of orders",
            format!("{:?}", ledger.0.lock().unwrap()),
            format!("{:?}", expect.calls),
        );
        if let Some(count) = expect.messages {
            let begun = events.iter().filter(|event| matches!(event, Event::TextMessageStart(_))).count();
            compare("the number of messages", begun.to_string(), count.to_string());
        }
        let error = events.iter().find_map(|event| match event {
            Event::RunError(error) => Some(error.message.clone()),
            _ => None,
        });
        let is_right = match (&error, &expect.error) {
            (Some(error), Some(part)) => error.contains(part),
            (error, part) => error.is_none() && part.is_none(),
        };
        if !is_right {
            compare("the error", format!("{error:?}"), format!("{:?}", expect.error));
        }
        let requests = server.requests();
        if let Some(count) = expect.requests {
            compare("the number of requests", requests.len().to_string(), count.to_string());
        }
        if let Some(path) = &expect.path {
            compare("the path", requests[0].0.clone(), path.clone());
        }
        for (place, right) in &expect.returned {
            let messages = requests.get(1).and_then(|(_, body)| body["messages"].as_array()).cloned();
            let turn = messages.into_iter().flatten().find(|message| message["role"] == "assistant");
            let is = turn.as_ref().and_then(|turn| turn.pointer(place)).cloned().unwrap_or_default();
            compare(place, is.to_string(), right.to_string());
        }
        let log = log.take().join("\n");
        if let Some(part) = &expect.unread {
            compare("a warning", log.contains(part).to_string(), "true".to_owned());
        }
        if let Some(part) = expect.error.as_ref().filter(|_| expect.text.is_empty()) {
            let reason = part.rsplit(": ").next().unwrap_or(part);
            if !log.contains(reason) {
                compare("the reason in the log", log, reason.to_owned());
            }
        }
        wrong
    }
}

impl Sent {
    fn answer(&self) -> Answer {
        let kind = self.headers["content-type"].as_str().unwrap();
        let headers = format!("content-type: {kind}\r\n");
        Answer { status: self.status, headers, ..Answer::bytes(vec![self.body.clone()]) }
    }
}

fn texts(events: &[Event], of_reasoning: bool) -> String {
    let pieces = events.iter().filter_map(|event| match event {
        Event::TextMessageContent(piece) if !of_reasoning => Some(piece.delta.as_str()),
        Event::ReasoningMessageContent(piece) if of_reasoning => Some(piece.delta.as_str()),
        _ => None,
    });
    pieces.collect()
}

fn transcripts() -> Vec<Transcript> {
    let path = workspace_dir().join("tests/fixtures/providers/transcripts.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn transcripts_of_the_world_are_read_as_they_are_meant() {
    let transcripts = transcripts();
    let wrong: Vec<_> = std::thread::scope(|scope| {
        let playing: Vec<_> = transcripts.iter().map(|one| scope.spawn(|| one.play())).collect();
        playing.into_iter().flat_map(|played| played.join().expect("a transcript is played")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(transcripts.len() >= 67, "{}", transcripts.len());
}

#[test]
fn each_transcript_has_its_row_in_the_table_of_quirks() {
    let table =
        std::fs::read_to_string(workspace_dir().join("agui-runtime/providers/src/docs/quirks.md")).unwrap();
    for (line, transcript) in (1..).zip(transcripts()) {
        let case = transcript.case.replace("[DONE]", "`[DONE]`");
        let row = table.lines().find(|row| row.starts_with(&format!("| {case} |")));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!("| line {line} |"))),
            "no row `{case}` of line {line}"
        );
    }
}
