//! Invalid answers: found before the agent runs, so that nothing is consumed.

use std::sync::Arc;

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::testing;
use agui_tests::log::Log;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tracing::Level;

use crate::agent::{judge, options, types};

/// Asks for permission.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "may", response = bool)]
struct May {}

/// Talks before it reads anything.
#[agent(interrupts = [May])]
async fn hasty(run: &mut Run<Hasty>, input: Input<Hasty>) -> Result<bool, Stop> {
    run.say("Here I am.").await;
    Ok(input.resumed::<May>()?.and_then(|asked| asked.response).unwrap_or_default())
}

/// Lists the questions of its delegate.
#[agent(interrupts = [May])]
async fn listing(run: &mut Run<Listing>, _input: Input<Listing>, hasty: &Arc<Hasty>) -> Result<bool, Stop> {
    run.delegate("hasty", hasty, []).await
}

/// Lists nothing.
#[agent]
async fn silent(run: &mut Run<Silent>, _input: Input<Silent>, hasty: &Arc<Hasty>) -> Result<bool, Stop> {
    run.delegate("hasty", hasty, []).await
}

fn answered(agent: impl Agent, answers: &[(&str, Value)]) -> Vec<Value> {
    let resume: Vec<_> = answers
        .iter()
        .map(|(id, payload)| json!({"interruptId": id, "status": "resolved", "payload": payload}))
        .collect();
    let input: RunAgentInput = serde_json::from_value(json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [], "resume": resume,
    }))
    .unwrap();
    let events: Vec<Value> = block_on(testing::run_with(agent, input, options()))
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect();
    judge(&events);
    events
}

fn hasty_one() -> Arc<Hasty> {
    Arc::new(Hasty::new())
}

#[test]
fn the_agent_is_not_called_with_an_answer_that_does_not_fit() {
    let events = answered(Hasty::new(), &[("may#x-interrupt-1#", json!("yes"))]);
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(events[1]["code"], "resume_invalid_response");
    assert_eq!(
        events[1]["message"],
        "response to interrupt `may#x-interrupt-1#` at `.`: invalid type: string \"yes\", expected a boolean"
    );
}

#[test]
fn the_agent_is_not_called_with_two_answers_to_a_question() {
    let same = "may#x-interrupt-1#";
    let events = answered(Hasty::new(), &[(same, json!(true)), (same, json!(false))]);
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(events[1]["code"], "resume_twice");
}

#[test]
fn more_answers_than_the_agent_reads_have_a_code() {
    let two = [("may#x-interrupt-1#", json!(true)), ("may#x-interrupt-2#", json!(true))];
    let events = answered(Hasty::new(), &two);
    assert_eq!(events.last().unwrap()["code"], "resume_several");
}

#[test]
fn a_subagents_question_is_checked_by_the_agent_that_lists_it() {
    let wrong = [("may#hasty:1/x-interrupt-1#", json!(7))];
    let events = answered(Listing::new(hasty_one()), &wrong);
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(events[1]["code"], "resume_invalid_response");

    let events = answered(Silent::new(hasty_one()), &wrong);
    assert_eq!(types(&events), ["RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_ERROR", "RUN_ERROR"]);
    assert_eq!(
        (&events[2]["code"], &events[3]["code"]),
        (&events[3]["code"], &json!("resume_invalid_response"))
    );

    let events = answered(Silent::new(hasty_one()), &[("may#hasty:1/x-interrupt-1#", json!(true))]);
    assert_eq!(events.last().unwrap()["result"], true);
}

#[test]
fn unrequested_answers_are_ignored_with_one_warning() {
    let (log, _recording) = Log::record(Level::WARN);
    let warnings = |answers: &[(&str, Value)]| {
        let events = answered(Hasty::new(), answers);
        assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
        log.take()
    };
    let quiet = [
        ("may#x-interrupt-1#", json!(true)),
        ("untyped", json!(1)),
        ("other#somebody:1/x-interrupt-1#", json!(1)),
    ];
    assert_eq!(warnings(&quiet), [""; 0]);
    let unknown = ("other#x-interrupt-1#", json!(1));
    assert_eq!(
        warnings(&[unknown.clone(), unknown, ("more#x-interrupt-2#c", json!(1))]),
        ["WARN message=answers to questions that the agent does not ask are ignored \
             interrupts=other#x-interrupt-1#, other#x-interrupt-1#, more#x-interrupt-2#c count=3 "]
    );
}
