//! An agent made of one function, and the streams it makes.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use agui_runtime::manifest::{AgentSource, TypeSource};
use agui_runtime::protocol::{Event, RunAgentInput};
use agui_runtime::{Agent, FinishedRun, Input, Run, RunOptions, Stop};
use agui_tests::outside::Node;
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::{Value, json};

pub(crate) type Doc = BTreeMap<String, i64>;
pub(crate) type Body<'r> = Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'r>>;

/// Runs a function as an agent.
pub(crate) struct Script(pub(crate) for<'r> fn(&'r Run<Script>, &'r Input<Script>) -> Body<'r>);

impl Agent for Script {
    type State = Doc;
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        (self.0)(run, &input).await?;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Runs a function",
            version: "0.0.0",
            rust_path: std::any::type_name::<Self>(),
            state: Some(TypeSource::of::<Doc>()),
            ..AgentSource::new("script")
        }
    }
}

/// The input of a client that speaks AG-UI 1.0.
pub(crate) fn input() -> RunAgentInput {
    RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0")
}

/// The options of tests with invented ids and answers: for the proof of questions, see [`consent`](crate::consent).
pub(crate) fn options() -> RunOptions {
    agui_runtime::testing::options().unsigned_interrupts(true)
}

/// All events of the function, as JSON. The official client checks their order if Node is there.
pub(crate) fn stream(script: for<'r> fn(&'r Run<Script>, &'r Input<Script>) -> Body<'r>) -> Vec<Value> {
    stream_for(input(), script)
}

pub(crate) fn stream_for(
    input: RunAgentInput,
    script: for<'r> fn(&'r Run<Script>, &'r Input<Script>) -> Body<'r>,
) -> Vec<Value> {
    let events = stream_with_panic(input, script);
    assert_ne!(events.last().unwrap()["code"], "panic", "an assertion of the agent failed");
    events
}

/// The same for a function that is meant to panic: the run catches it, so elsewhere it would go unnoticed.
pub(crate) fn stream_with_panic(
    input: RunAgentInput,
    script: for<'r> fn(&'r Run<Script>, &'r Input<Script>) -> Body<'r>,
) -> Vec<Value> {
    let events = block_on(agui_runtime::testing::run_with(Script(script), input, options()));
    let events: Vec<Value> = events.iter().map(json).collect();
    judge(&events);
    events
}

/// The same for a run with options.
pub(crate) fn stream_with(
    input: RunAgentInput,
    options: RunOptions,
    script: for<'r> fn(&'r Run<Script>, &'r Input<Script>) -> Body<'r>,
) -> Vec<Value> {
    let events: Vec<Event> =
        block_on(agui_runtime::start(Arc::new(Script(script)), input, options).collect());
    let events: Vec<Value> = events.iter().map(json).collect();
    judge(&events);
    events
}

pub(crate) fn json(event: &Event) -> Value {
    serde_json::to_value(event).unwrap()
}

/// The stream without its first and last event, of a run that did not fail.
pub(crate) fn inside(events: &[Value]) -> &[Value] {
    assert_eq!(events.first().unwrap()["type"], "RUN_STARTED");
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{:#}", events.last().unwrap());
    &events[1..events.len() - 1]
}

pub(crate) fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

pub(crate) fn judge(events: &[Value]) {
    judge_all(&[json!(events)]);
}

/// Judges many streams at once.
pub(crate) fn judge_all(streams: &[Value]) {
    match Node::ready() {
        Ok(node) => {
            let verdicts = node.verify(&["--only", "check", "--terse"], streams);
            assert_eq!(verdicts.len(), streams.len());
            for (verdict, events) in verdicts.iter().zip(streams) {
                let check = &verdict["check"];
                assert_eq!(check["accepted"], true, "the official client refuses it: {check:#}\n{events:#?}");
                assert_eq!(check["warnings"], json!([]), "the official client warns\n{events:#?}");
            }
        }
        Err(missing) => missing.skip("flow: the official client's verdict"),
    }
}

/// The number of cases of a property: `in_ci` with `AGUI_EXHAUSTIVE`, as in CI, otherwise a quarter, unless
/// `PROPTEST_CASES` sets it.
pub(crate) fn cases(in_ci: u32) -> proptest::test_runner::Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let few = if agui_tests::is_exhaustive() { in_ci } else { in_ci / 4 };
    proptest::test_runner::Config::with_cases(asked.unwrap_or(few))
}
