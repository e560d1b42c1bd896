//! A policy of approval that knows who asks: it borrows a value of the request, as the tool does.

use std::sync::Arc;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, FunctionCall, RunAgentInput, ToolCall};
use agui_runtime::testing::{self, RunEnd};
use futures::StreamExt as _;
use serde_json::json;

/// The person who sent the request.
#[derive(Clone)]
struct Clerk {
    may_refund: u32,
}

/// Refunds an order. The clerk may refund small ones alone.
#[tool(approval = is_too_much)]
async fn refund(who: &Clerk, cents: u32) -> String {
    format!("{cents} of {}", who.may_refund)
}

fn is_too_much(refund: &refund, who: &Clerk) -> bool {
    refund.cents > who.may_refund
}

/// Gives a voucher. Strangers are asked.
#[tool(approval = is_stranger)]
async fn voucher(who: Option<&Clerk>) -> bool {
    who.is_some()
}

fn is_stranger(_: &voucher, who: Option<&Clerk>) -> bool {
    who.is_none()
}

/// Helps clerks.
#[agent(tools = [refund])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>, model: &Model, #[request] _: &Clerk) -> Result<(), Stop> {
    run.chat(model).await
}

/// Helps clerks and strangers.
#[agent(tools = [voucher])]
async fn counter(
    run: &mut Run<Counter>,
    _: Input<Counter>,
    model: &Model,
    #[request] _: Option<&Clerk>,
) -> Result<(), Stop> {
    run.chat(model).await
}

/// Runs an agent for a clerk, and returns the number of its questions and its events.
fn run<A: Agent>(agent: A, who: Option<Clerk>, input: RunAgentInput) -> (usize, String) {
    let options = match who {
        Some(who) => testing::options().request(who),
        None => testing::options(),
    };
    let events: Vec<_> =
        futures::executor::block_on(agui_runtime::start(Arc::new(agent), input, options).collect());
    let asked = match testing::end(&events) {
        RunEnd::Interrupt(questions) => questions.len(),
        _ => 0,
    };
    (asked, testing::lines(&events))
}

fn script(tool: &str, arguments: serde_json::Value) -> Model {
    ScriptedModel::new([Reply::call(tool, arguments), Reply::text("Done.")]).into()
}

#[test]
fn a_policy_decides_by_the_person_who_asks() {
    for (may_refund, questions) in [(100, 1), (500, 0)] {
        let desk = Desk::new(script("refund", json!({ "cents": 300 })));
        let (asked, lines) = run(desk, Some(Clerk { may_refund }), testing::input("Refund it."));
        assert_eq!(asked, questions, "{lines}");
        assert_eq!(lines.contains("300 of 500"), questions == 0, "{lines}");
    }
}

#[test]
fn a_policy_decides_about_strangers_too() {
    for (who, questions) in [(None, 1), (Some(Clerk { may_refund: 0 }), 0)] {
        let counter = Counter::new(script("voucher", json!({})));
        let (asked, lines) = run(counter, who, testing::input("A voucher."));
        assert_eq!(asked, questions, "{lines}");
    }
}

/// The answer counts for the person of the run that it comes with: the policy is not asked again.
#[test]
fn a_call_without_its_answer_never_runs_for_another_person() {
    let call = ToolCall::new("call:0", FunctionCall::new("refund", r#"{"cents":300}"#));
    let mut input = testing::input("Refund it.");
    input.messages.push(AssistantMessage::new("a").with_tool_calls([call]).into());
    let desk = Desk::new(ScriptedModel::new([Reply::text("No.")]).into());
    let (asked, lines) = run(desk, Some(Clerk { may_refund: 500 }), input);
    assert!(asked == 0 && !lines.contains("300 of"), "{lines}");
}
