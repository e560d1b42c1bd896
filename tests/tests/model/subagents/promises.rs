//! Handoffs beside what a chat promises: the contract of frontend tools, and a typed result.

use std::sync::Arc;

use agui_runtime::model::{FrontendContract, Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Tool as ClientTool;
use agui_runtime::testing::{self, RunEnd};
use serde_json::json;

use super::handoff::{Billing, invoice_number, transfer};
use super::{Thread, results};

/// Knows nothing without the page.
#[agent(tools = [invoice_number])]
async fn strict(run: &mut Run<Strict>, _: Input<Strict>, model: &Model) -> Result<(), Stop> {
    run.chat(model).frontend_contract(FrontendContract::Refuse).await
}

/// Greets customers at a door.
#[agent(handoffs = [Strict])]
async fn door(run: &mut Run<Door>, _: Input<Door>, model: &Model, strict: &Arc<Strict>) -> Result<(), Stop> {
    run.chat(model).await
}

/// Has a door among its tools, so that a call waits for the agent behind it.
#[agent(tools = [Door])]
async fn street(
    run: &mut Run<Street>,
    _: Input<Street>,
    model: &Model,
    door: &Arc<Door>,
) -> Result<(), Stop> {
    run.chat(model).await
}

fn strict_agent() -> (Arc<Strict>, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new([Reply::text("It is paid.")]));
    (Arc::new(Strict::new(Arc::clone(&model).into())), model)
}

fn door_to(strict: Arc<Strict>) -> Door {
    Door::new(ScriptedModel::new([Reply::call("transfer_to_strict", "{}")]).into(), strict)
}

/// The client offers the tool of the strict agent.
fn offer<A>(thread: &mut Thread<A>) {
    thread.input.tools = Some(vec![ClientTool::new("invoice_number", "Asks.")].into());
}

#[test]
fn the_contract_of_the_agent_that_took_over_is_checked_by_its_policy() {
    for is_offered in [false, true] {
        let (strict, model) = strict_agent();
        let mut thread = Thread::new(door_to(strict), "My invoice?");
        if is_offered {
            offer(&mut thread);
        }
        let lines = testing::lines(&thread.run());
        assert_eq!(lines.contains(r#"code="tool_not_offered""#), !is_offered, "{lines}");
        assert_eq!(model.prompts().len(), usize::from(is_offered));
    }
}

/// A client cannot answer a call while another call waits for the agent.
#[test]
fn behind_a_call_that_waits_the_contract_fails_the_call() {
    let (strict, model) = strict_agent();
    let door = Arc::new(door_to(strict));
    let replies = [Reply::call("door", json!({ "task": "Ask." })), Reply::text("Sorry.")];
    let mut thread = Thread::new(Street::new(ScriptedModel::new(replies).into(), door), "My invoice?");
    offer(&mut thread);
    let events = thread.run();
    let results = results(&events);
    let why = "the frontend tool `invoice_number` cannot be called: a call waits for the agent";
    assert!(results.last().unwrap().1.contains(why), "{results:?}");
    assert_eq!((testing::texts(&events), model.prompts().len()), (vec!["Sorry.".to_owned()], 0));
}

/// Finds the number of an invoice, or someone who knows it.
#[agent(handoffs = [Billing])]
async fn finder(
    run: &mut Run<Finder>,
    _: Input<Finder>,
    model: &Model,
    billing: &Arc<Billing>,
) -> Result<u32, Stop> {
    run.chat(model).output().await
}

#[test]
fn a_chat_with_a_typed_result_fails_when_another_agent_takes_over() {
    let billing =
        || Arc::new(Billing::new(ScriptedModel::new([Reply::text("It is paid.")]).into(), Arc::default()));
    let mut thread =
        Thread::new(Finder::new(ScriptedModel::new([transfer()]).into(), billing()), "My invoice?");
    let events = thread.run();
    assert_eq!(testing::texts(&events), ["It is paid."], "the user has read its answer");
    let RunEnd::Failed { code: Some("handed_over"), message } = testing::end(&events) else {
        panic!("{}", testing::lines(&events))
    };
    assert!(message.contains("`billing`"), "{message}");
    let model = ScriptedModel::new([Reply::output(4_u32)]);
    let events = Thread::new(Finder::new(model.into(), billing()), "Invoice 4.").run();
    assert!(matches!(testing::end(&events), RunEnd::Success { result: Some(_), .. }));
}
