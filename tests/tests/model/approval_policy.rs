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

/// The shop that knows its limits.
struct Limits {
    unasked: u32,
}

/// Pays. A policy takes some of what the tool borrows, in any order.
#[tool(approval = pays_much)]
async fn pay(who: Option<&Clerk>, limits: &Limits, context: &ToolCtx, cents: u32) -> u32 {
    let _ = (who, limits, context);
    cents
}

async fn pays_much(pay: &pay, limits: &Limits, who: Option<&Clerk>) -> bool {
    tokio::task::yield_now().await;
    pay.cents > who.map_or(limits.unasked, |who| who.may_refund)
}

/// Sends. The policy takes the arguments alone.
#[tool(approval = sends_much)]
async fn send(limits: &Limits, cents: u32) -> u32 {
    limits.unasked + cents
}

async fn sends_much(send: &send) -> bool {
    tokio::task::yield_now().await;
    assert!(send.cents != 666, "the policy panics");
    send.cents > 100
}

/// Lends.
#[tool(approval = |lend, limits| lend.cents > limits.unasked)]
async fn lend(who: Option<&Clerk>, limits: &Limits, cents: u32) -> u32 {
    let _ = (who, limits);
    cents
}

/// Donates.
#[tool(approval = async |donate: &donate, who: Option<&Clerk>| {
    tokio::task::yield_now().await;
    who.is_none_or(|who| donate.cents > who.may_refund)
})]
async fn donate(who: Option<&Clerk>, cents: u32) -> u32 {
    let _ = who;
    cents
}

/// Bets. A sync policy takes the arguments alone.
#[tool(approval = bets_much)]
async fn bet(who: Option<&Clerk>, limits: &Limits, cents: u32) -> u32 {
    let _ = (who, limits);
    cents
}

fn bets_much(bet: &bet) -> bool {
    bet.cents > 100
}

/// Moves money.
#[agent(tools = [pay, send, lend, donate, bet])]
async fn bank(
    run: &mut Run<Bank>,
    _: Input<Bank>,
    model: &Model,
    limits: &Limits,
    #[request] _: Option<&Clerk>,
) -> Result<(), Stop> {
    let _ = limits;
    run.chat(model).await
}

#[test]
fn policies_may_be_async_and_take_what_they_name() {
    let clerk = || Some(Clerk { may_refund: 500 });
    let rows = [
        ("pay", 300, clerk(), 0),
        ("pay", 600, clerk(), 1),
        ("pay", 300, None, 1),
        ("pay", 200, None, 0),
        ("send", 100, None, 0),
        ("send", 101, None, 1),
        ("send", 666, None, 1),
        ("lend", 200, clerk(), 0),
        ("lend", 201, clerk(), 1),
        ("donate", 500, clerk(), 0),
        ("donate", 501, clerk(), 1),
        ("donate", 1, None, 1),
        ("bet", 100, None, 0),
        ("bet", 101, None, 1),
    ];
    for (tool, cents, who, questions) in rows {
        let bank = Bank::new(script(tool, json!({ "cents": cents })), Limits { unasked: 200 });
        let (asked, lines) = run(bank, who, testing::input("Go on."));
        assert_eq!(asked, questions, "{tool} {cents}: {lines}");
        assert_eq!(lines.contains("TOOL_CALL_RESULT"), questions == 0, "{tool} {cents}: {lines}");
    }
}

/// Calls a tool with an async policy by hand, and by its name.
#[agent(tools = [send])]
async fn teller(run: &mut Run<Teller>, input: Input<Teller>, limits: &Limits) -> Result<u32, Stop> {
    let _ = limits;
    let cents: u32 = input.user_text().unwrap_or_default().parse()?;
    let mut named = run.open_call("send").await?;
    named.push(json!({ "cents": 7 }).to_string()).await;
    let dispatched = run.dispatch(vec![named.end()?]).await;
    assert_eq!(dispatched.settled.len(), 1);
    Ok(run.call(send { cents }).await?.approved().await?.run().await)
}

#[test]
fn calls_by_hand_wait_for_the_policy() {
    for (cents, questions) in [("7", 0), ("700", 1)] {
        let (asked, lines) = run(Teller::new(Limits { unasked: 0 }), None, testing::input(cents));
        assert_eq!(asked, questions, "{lines}");
    }
}
