//! A model hands the conversation over to another agent, which answers the user.

use std::sync::Arc;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Tool as ClientTool, ToolCallId, ToolMessage};
use agui_runtime::testing::{self, RunEnd};
use serde_json::json;

use super::{Press, Thread, approved, brief, questions, read, results};

/// Asks the person for the number of the invoice.
#[tool(frontend)]
pub(super) async fn invoice_number() -> u32;

/// Sends an invoice.
#[tool(approval)]
pub(super) async fn send(press: &Arc<Press>, number: u32) -> String {
    press.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    format!("sent {number}")
}

/// Answers questions about invoices.
#[agent(tools = [invoice_number, send])]
pub(super) async fn billing(
    run: &mut Run<Billing>,
    _: Input<Billing>,
    model: &Model,
    press: &Arc<Press>,
) -> Result<u32, Stop> {
    run.chat(model).await?;
    Ok(7)
}

/// Gives a present.
#[tool(approval)]
async fn give(what: String) -> String {
    format!("gave {what}")
}

/// Greets customers.
#[agent(tools = [give], handoffs = [Billing])]
async fn reception(
    run: &mut Run<Reception>,
    _: Input<Reception>,
    model: &Model,
    billing: &Arc<Billing>,
) -> Result<(), Stop> {
    run.chat(model).await
}

struct Fixture {
    thread: Thread<Reception>,
    of_reception: Arc<ScriptedModel>,
    of_billing: Arc<ScriptedModel>,
    press: Arc<Press>,
}

fn fixture(reception: impl Into<Vec<Reply>>, billing: impl Into<Vec<Reply>>) -> Fixture {
    let of_reception = Arc::new(ScriptedModel::new(reception));
    let of_billing = Arc::new(ScriptedModel::new(billing));
    let press = Arc::<Press>::default();
    let billing = Arc::new(Billing::new(Arc::clone(&of_billing).into(), Arc::clone(&press)));
    let mut thread = Thread::new(Reception::new(Arc::clone(&of_reception).into(), billing), "My invoice?");
    thread.input.tools = Some(vec![ClientTool::new("invoice_number", "Asks.")].into());
    Fixture { thread, of_reception, of_billing, press }
}

pub(super) fn transfer() -> Reply {
    Reply::call("transfer_to_billing", "{}")
}

#[test]
fn the_other_agent_answers_and_its_end_is_the_end_of_the_run() {
    let mut fixture = fixture([transfer()], [Reply::text("It is paid.")]);
    let events = fixture.thread.run();
    let other = "handoff-r1-call-2";
    let of_other = |kind: &str| format!("{kind} {other}");
    let expected = [
        "RUN_STARTED".to_owned(),
        "TOOL_CALL_START".to_owned(),
        "TOOL_CALL_ARGS".to_owned(),
        "TOOL_CALL_END".to_owned(),
        "TOOL_CALL_RESULT".to_owned(),
        of_other("SUBAGENT_STARTED"),
        of_other("TEXT_MESSAGE_START"),
        of_other("TEXT_MESSAGE_CONTENT"),
        of_other("TEXT_MESSAGE_END"),
        of_other("SUBAGENT_FINISHED"),
        "RUN_FINISHED".to_owned(),
    ];
    assert_eq!(brief(&events), expected);
    let read = read(&fixture.of_billing);
    assert!(
        read.contains("My invoice?") && read.contains("transfer_to_billing"),
        "the whole conversation: {read}"
    );
    assert_eq!(fixture.of_reception.prompts().len(), 1, "the first agent does not come back");
}

#[test]
fn the_next_message_goes_to_the_first_agent_which_has_read_the_answer() {
    for is_legacy in [false, true] {
        let mut fixture = fixture([transfer(), Reply::text("Anything else?")], [Reply::text("It is paid.")]);
        if is_legacy {
            fixture.thread = fixture.thread.legacy();
        }
        fixture.thread.run();
        let events = fixture.thread.say("Thanks.");
        assert_eq!(testing::texts(&events), ["Anything else?"]);
        assert!(read(&fixture.of_reception).contains("It is paid."));
    }
}

#[test]
fn a_question_of_the_other_agent_continues_with_it() {
    for is_legacy in [false, true] {
        let send = Reply::call("send", json!({ "number": 4 }));
        let mut fixture = fixture([transfer()], [send, Reply::text("It is on its way.")]);
        if is_legacy {
            fixture.thread = fixture.thread.legacy();
        }
        let asked = questions(&fixture.thread.run());
        let events = fixture.thread.answer([approved(&asked[0])]);
        assert_eq!(testing::texts(&events), ["It is on its way."], "{}", testing::lines(&events));
        assert_eq!((results(&events)[0].1.as_str(), fixture.press.count()), ("sent 4", 1));
        assert_eq!(fixture.of_reception.prompts().len(), 1);
    }
}

/// The last call of a run.
fn last_call(events: &[Event]) -> ToolCallId {
    let call = events.iter().rev().find_map(|event| match event {
        Event::ToolCallStart(start) => Some(start.tool_call_id.clone()),
        _ => None,
    });
    call.unwrap_or_else(|| panic!("{}", testing::lines(events)))
}

#[test]
fn an_answer_of_the_page_continues_with_the_agent_that_called_its_tool() {
    for is_legacy in [false, true] {
        let mut fixture =
            fixture([transfer()], [Reply::call("invoice_number", "{}"), Reply::text("Number 4 is paid.")]);
        if is_legacy {
            fixture.thread = fixture.thread.legacy();
        }
        let events = fixture.thread.run();
        let call = last_call(&events);
        let RunEnd::Success { pending, .. } = testing::end(&events) else {
            panic!("{}", testing::lines(&events))
        };
        // A legacy client has no member for the calls that wait.
        assert_eq!(pending, if is_legacy { vec![] } else { vec![call.clone()] });
        fixture.thread.input.messages.push(ToolMessage::new("answer", "4", call).into());
        let events = fixture.thread.run();
        assert_eq!(testing::texts(&events), ["Number 4 is paid."], "{}", testing::lines(&events));
        let is_start = |event: &Event| matches!(event, Event::SubagentStarted(_));
        assert_eq!(events.iter().any(is_start), !is_legacy);
        assert_eq!(fixture.of_reception.prompts().len(), 1);
    }
}

#[test]
fn the_second_handoff_of_a_turn_is_refused() {
    let twice = transfer().and_call("transfer_to_billing", "{}");
    let mut fixture = fixture([twice], [Reply::text("It is paid.")]);
    let events = fixture.thread.run();
    let results: Vec<_> = results(&events).into_iter().map(|(_, text)| text).collect();
    assert!(results.iter().any(|text| text.contains("already")), "{results:?}");
    assert_eq!(testing::lines(&events).matches("SUBAGENT_STARTED").count(), 1);
}

#[test]
fn a_handoff_beside_a_question_follows_its_answer() {
    for is_legacy in [false, true] {
        let both = transfer().and_call("give", json!({ "what": "rice" }));
        let mut fixture = fixture([both], [Reply::text("Enjoy it.")]);
        if is_legacy {
            fixture.thread = fixture.thread.legacy();
        }
        let asked = fixture.thread.run();
        assert!(!testing::lines(&asked).contains("SUBAGENT"), "{}", testing::lines(&asked));
        let events = fixture.thread.answer([approved(&questions(&asked)[0])]);
        assert_eq!(testing::texts(&events), ["Enjoy it."], "{}", testing::lines(&events));
        assert!(read(&fixture.of_billing).contains("gave rice"), "{}", read(&fixture.of_billing));
        assert_eq!(fixture.of_reception.prompts().len(), 1);
    }
}

#[test]
fn a_failure_of_the_other_agent_fails_the_run() {
    let mut fixture = fixture([transfer()], []);
    let events = fixture.thread.run();
    assert!(matches!(testing::end(&events), RunEnd::Failed { code: Some("model_failed"), .. }));
}

/// A model that knows other agents writes a task, which a handoff has not.
#[test]
fn a_handoff_with_arguments_goes_back_to_the_model() {
    let with_task = Reply::call("transfer_to_billing", json!({ "task": "invoice 4" }));
    let mut fixture = fixture([with_task, transfer()], [Reply::text("It is paid.")]);
    let events = fixture.thread.run();
    assert_eq!(testing::texts(&events), ["It is paid."], "{}", testing::lines(&events));
    assert!(read(&fixture.of_reception).contains("task"), "{}", read(&fixture.of_reception));
}

#[test]
fn frontend_calls_beside_a_handoff_are_not_sent() {
    /// Greets customers at a counter.
    #[agent(tools = [invoice_number], handoffs = [Billing])]
    async fn counter(
        run: &mut Run<Counter>,
        _: Input<Counter>,
        model: &Model,
        billing: &Arc<Billing>,
    ) -> Result<(), Stop> {
        run.chat(model).await
    }

    let of_billing = ScriptedModel::new([Reply::text("It is paid.")]);
    let billing = Arc::new(Billing::new(of_billing.into(), Arc::default()));
    let both = transfer().and_call("invoice_number", "{}");
    let mut thread = Thread::new(Counter::new(ScriptedModel::new([both]).into(), billing), "My invoice?");
    thread.input.tools = Some(vec![ClientTool::new("invoice_number", "Asks.")].into());
    let events = thread.run();
    let lines = testing::lines(&events);
    assert!(matches!(testing::end(&events), RunEnd::Success { pending: [], .. }), "{lines}");
    assert_eq!(lines.matches("TOOL_CALL_START").count(), 1, "{lines}");
}

/// Answers all questions about money, or knows another agent that does.
#[agent(handoffs = [Billing])]
async fn money(
    run: &mut Run<Money>,
    _: Input<Money>,
    model: &Model,
    billing: &Arc<Billing>,
) -> Result<(), Stop> {
    run.chat(model).await
}

/// Greets customers of a bank.
#[agent(handoffs = [Money])]
async fn bank(run: &mut Run<Bank>, _: Input<Bank>, model: &Model, money: &Arc<Money>) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn an_answer_of_the_page_finds_its_way_through_two_handoffs() {
    for is_legacy in [false, true] {
        let of_billing =
            ScriptedModel::new([Reply::call("invoice_number", "{}"), Reply::text("Number 4 is paid.")]);
        let billing = Arc::new(Billing::new(of_billing.into(), Arc::default()));
        let money = Arc::new(Money::new(ScriptedModel::new([transfer()]).into(), billing));
        let of_bank = Arc::new(ScriptedModel::new([Reply::call("transfer_to_money", "{}")]));
        let mut thread = Thread::new(Bank::new(Arc::clone(&of_bank).into(), money), "My invoice?");
        if is_legacy {
            thread = thread.legacy();
        }
        thread.input.tools = Some(vec![ClientTool::new("invoice_number", "Asks.")].into());
        let events = thread.run();
        thread.input.messages.push(ToolMessage::new("answer", "4", last_call(&events)).into());
        let events = thread.run();
        assert_eq!(testing::texts(&events), ["Number 4 is paid."], "{}", testing::lines(&events));
        assert_eq!(of_bank.prompts().len(), 1);
    }
}

/// Writes letters about research.
#[agent(tools = [super::Researcher], handoffs = [Billing])]
async fn clerk(
    run: &mut Run<Clerk>,
    _: Input<Clerk>,
    model: &Model,
    researcher: &Arc<super::Researcher>,
    billing: &Arc<Billing>,
) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_handoff_beside_a_subagent_that_asks_follows_its_answer() {
    let of_researcher = [Reply::call("publish", json!({ "text": "rice" })), Reply::text("It is out.")];
    let researcher = super::Researcher::new(ScriptedModel::new(of_researcher).into(), Arc::default());
    let billing = Billing::new(ScriptedModel::new([Reply::text("It is paid.")]).into(), Arc::default());
    let both = super::research("Publish rice.").and_call("transfer_to_billing", "{}");
    let of_clerk = Arc::new(ScriptedModel::new([both]));
    let clerk = Clerk::new(Arc::clone(&of_clerk).into(), Arc::new(researcher), Arc::new(billing));
    let mut thread = Thread::new(clerk, "Go.");
    let asked = questions(&thread.run());
    let events = thread.answer([approved(&asked[0])]);
    assert!(testing::texts(&events).contains(&"It is paid.".to_owned()), "{}", testing::lines(&events));
    assert_eq!(of_clerk.prompts().len(), 1, "the first agent does not come back");
}
