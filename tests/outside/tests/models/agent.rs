//! An agent with tools, and runs of it over a model of the mock.

use agui_runtime::model::Model;
use agui_runtime::order::OrderVerifier;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, RunAgentInput};
use agui_runtime::testing;

/// Looks up what an ingredient costs, in cents.
#[tool]
pub(crate) async fn price(name: String) -> Result<u32, Stop> {
    match name.as_str() {
        "rice" => Ok(180),
        "salt" => Ok(90),
        _ => Err(Stop::error(format!("there is no {name}"))),
    }
}

/// Asks the person whether that is all.
#[tool(frontend)]
pub(crate) async fn checkout(total: u32) -> bool;

/// Sells things.
#[agent(tools = [price, checkout])]
pub(crate) async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    run.chat(model)
        .instructions("You are a clerk.")
        .frontend_contract(agui_runtime::model::FrontendContract::Ignore)
        .await
}

/// The dialects of the mock.
pub(crate) const DIALECTS: [&str; 4] =
    ["openai-chat:gpt-4o", "openai:gpt-5-mini", "anthropic:claude-sonnet-4-5", "gemini:gemini-2.5-flash"];

/// Runs the clerk, and fails unless its stream is legal.
pub(crate) fn run(model: impl Into<Model>, input: RunAgentInput) -> Vec<Event> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let events = runtime.block_on(testing::run(Clerk::new(model.into()), input));
    let mut verifier = OrderVerifier::new();
    for event in &events {
        if let Err(violation) = verifier.check(event) {
            panic!("{violation}\n{}", testing::lines(&events));
        }
    }
    events
}

pub(crate) fn end(events: &[Event]) -> String {
    testing::lines(&events[events.len() - 1..])
}
