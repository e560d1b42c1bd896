//! An answer counts only for a question that was asked: on this thread, by this server, about this call with these arguments.

mod accepted;
mod agents;
mod expiry;
mod once;
mod refused;
mod subject;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt as Question, RunAgentInput, ToolCallId};
use agui_runtime::{Ids, InterruptKey, RunOptions, start, testing};
use futures::StreamExt;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::judge_all;

/// Sends a letter.
#[tool]
async fn send(to: String, text: String, copies: f64) -> String {
    format!("sent {copies} of {text} to {to}")
}

/// Burns a letter.
#[tool]
async fn burn(to: String, text: String, copies: f64) -> String {
    format!("burnt {copies} of {text} to {to}")
}

/// Asks before a letter is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", message = "Send it?", response = Approval)]
struct ConfirmSend {}

/// The answer of the user.
#[derive(Deserialize, JsonSchema)]
struct Approval {
    approved: bool,
    #[serde(default)]
    instead: Option<String>,
}

/// The way in which the agent asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// With a type.
    Typed,
    /// With an id of its own that is always the same.
    Untyped,
    /// About a call whose arguments a model streams, with spaces.
    Streamed,
}

const WAYS: [Way; 3] = [Way::Typed, Way::Untyped, Way::Streamed];

/// Writes one letter, and asks before it sends it.
#[agent(tools = [send, burn], interrupts = [ConfirmSend])]
async fn writer(
    run: &mut Run<Writer>,
    input: Input<Writer>,
    way: &Way,
    runs: &Arc<AtomicUsize>,
    expires: &Option<&'static str>,
) -> Result<Vec<String>, Stop> {
    runs.fetch_add(1, Ordering::Relaxed);
    let mut done = Vec::new();
    match way {
        Way::Typed | Way::Streamed => {
            for asked in input.resumed_all::<ConfirmSend>()? {
                let Some(id) = &asked.tool_call_id else { return Err(Stop::error("about no call")) };
                done.extend(take_up(run, &input, id, asked.response).await?);
            }
        }
        Way::Untyped => {
            if let Some(answer) = input.resume().iter().find(|entry| entry.interrupt_id == "send") {
                let said = answer.payload.as_deref().map(|payload| serde_json::from_value(payload.clone()));
                let said: Option<Approval> = said.transpose()?;
                for id in input.pending_calls::<send>() {
                    let said = said.as_ref().map(|said| Approval { instead: said.instead.clone(), ..*said });
                    done.extend(take_up(run, &input, &id, said).await?);
                }
            }
        }
    }
    if !input.resume().is_empty() || input.user_text().is_none() {
        return Ok(done);
    }
    let call = match way {
        Way::Streamed => {
            let mut call = run.tool::<send>().await;
            for piece in ["{ \"to\" : \"Ada\", ", "\"copies\": 2.0e0,\n\"text\": \"caf\\u00e9\" }"] {
                call.push(piece).await;
            }
            call.end()
        }
        _ => Ok(run.call(letter()).await?),
    };
    // A model may write arguments that are not a letter.
    let Ok(call) = call else { return Err(Stop::error("no letter")) };
    let mut question = match way {
        Way::Untyped => Question::new("send", "confirmation"),
        _ => call.typed_interrupt(ConfirmSend {})?,
    };
    if let Some(expires) = expires {
        question = question.with_expires_at(*expires);
    }
    Err(call.interrupt(question))
}

async fn take_up(
    run: &Run<Writer>,
    input: &Input<Writer>,
    id: &ToolCallId,
    said: Option<Approval>,
) -> Result<Option<String>, Stop> {
    match said {
        Some(Approval { approved: true, instead: Some(text) }) => {
            let edited = send { text, ..letter() };
            Ok(Some(run.resume_call_with(input, id, edited)?.run().await))
        }
        Some(Approval { approved: true, .. }) => Ok(Some(run.resume_call::<send>(input, id)?.run().await)),
        _ => {
            run.resume_call::<send>(input, id)?.fail("the person said no").await;
            Ok(None)
        }
    }
}

fn letter() -> send {
    send { to: "Ada".to_owned(), text: "café".to_owned(), copies: 2.0 }
}

/// A writer, and the number of its calls.
struct Case {
    way: Way,
    runs: Arc<AtomicUsize>,
    options: RunOptions,
    expires: Option<&'static str>,
}

impl Case {
    fn new(way: Way) -> Self {
        Self { way, runs: Arc::default(), options: options(), expires: None }
    }

    fn run(&self, input: &Value) -> Vec<Value> {
        events(Writer::new(self.way, Arc::clone(&self.runs), self.expires), input, self.options.clone())
    }

    /// The run that asks, as one of thread `t`, and the input of a client that agrees.
    fn asked(&self) -> Asked {
        let first = input("t", "r-1");
        let events = self.run(&first);
        let question = questions(&events)[0].clone();
        Asked { input: answering(&first, &events, &json!({"approved": true})), question }
    }

    /// The number of calls since the last question.
    fn calls(&self) -> usize {
        self.runs.swap(0, Ordering::Relaxed)
    }
}

struct Asked {
    input: Value,
    question: Value,
}

/// The options of tests that repeat the same question: an answer counts each time.
fn options() -> RunOptions {
    testing::options().ids(Ids::fixed("x")).interrupt_key(key(1))
}

fn key(number: u8) -> InterruptKey {
    InterruptKey::new([number; 32]).unwrap()
}

fn input(thread: &str, run: &str) -> Value {
    json!({
        "threadId": thread, "runId": run, "protocolVersion": "1.0",
        "messages": [{"id": "m-1", "role": "user", "content": "Write to Ada."}],
    })
}

fn events(agent: impl Agent, input: &Value, options: RunOptions) -> Vec<Value> {
    let input: RunAgentInput = serde_json::from_value(input.clone()).unwrap();
    let events: Vec<_> = block_on(start(Arc::new(agent), input, options).collect());
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

fn questions(events: &[Value]) -> &[Value] {
    let outcome = &events.last().unwrap()["outcome"];
    assert_eq!(outcome["type"], "interrupt", "{events:#?}");
    outcome["interrupts"].as_array().unwrap()
}

/// The next input of an official client: all its earlier messages, the calls of the run, and an answer to each
/// question.
fn answering(before: &Value, events: &[Value], payload: &Value) -> Value {
    let mut next = before.clone();
    next["runId"] = json!("r-2");
    let messages = next["messages"].as_array_mut().unwrap();
    for start in events.iter().filter(|event| event["type"] == "TOOL_CALL_START") {
        let id = &start["toolCallId"];
        let of_the_call = |event: &&Value| event["type"] == "TOOL_CALL_ARGS" && event["toolCallId"] == *id;
        let arguments: String =
            events.iter().filter(of_the_call).map(|event| event["delta"].as_str().unwrap()).collect();
        let function = json!({"name": start["toolCallName"], "arguments": arguments});
        messages.push(json!({
            "id": id, "role": "assistant", "toolCalls": [{"id": id, "type": "function", "function": function}],
        }));
    }
    let answers = questions(events)
        .iter()
        .map(|question| json!({"interruptId": question["id"], "status": "resolved", "payload": payload}));
    next["resume"] = answers.collect();
    next
}

/// The run was refused, and had no other effect.
fn assert_refused(case: &Case, input: &Value, code: &str, what: &str) {
    case.calls();
    let events = case.run(input);
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["RUN_STARTED", "RUN_ERROR"], "{what}: {events:#?}");
    assert_eq!(events[1]["code"], code, "{what}: {events:#?}");
    assert_eq!(case.calls(), 0, "{what}: the agent was called");
}

fn result(events: &[Value]) -> &Value {
    let last = events.last().unwrap();
    assert_eq!(last["type"], "RUN_FINISHED", "{events:#?}");
    &last["result"]
}
