//! The runtime under another path, that of a crate which re-exports it.

use kit::agui::{Input, Run, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod kit {
    pub use agui_runtime as agui;
}

#[derive(kit::agui::State, Serialize, Deserialize, JsonSchema, Clone)]
#[state(crate = kit::agui)]
struct Recipe {
    title: String,
}

#[derive(kit::agui::CustomEvent, Serialize, JsonSchema)]
#[event(crate = kit::agui)]
struct Sizzle;

#[derive(kit::agui::Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(crate = kit::agui)]
struct Plan {
    at: u32,
}

#[derive(kit::agui::Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "sure", response = bool, crate = kit::agui)]
struct Sure;

/// Counts.
#[kit::agui::tool(crate = crate::accepted::reexported_runtime::kit::agui)]
async fn price(name: String) -> usize {
    name.len()
}

#[kit::agui::agent(crate = crate::accepted::reexported_runtime::kit::agui, state = Recipe, tools = [price], events = [Sizzle], interrupts = [Sure])]
async fn reexported(run: &mut Run<Reexported>, input: Input<Reexported>) -> Result<(), Stop> {
    match input.resumed::<Sure>()? {
        Some(_) => Ok(()),
        None => Err(run.ask(Sure)),
    }
}

#[test]
fn it_is_an_agent_with_its_tool() {
    assert_eq!(super::tools_of(&Reexported::new()), ["price"]);
    assert_eq!(serde_json::to_value(Plan { at: 1 }).unwrap(), serde_json::json!({ "at": 1 }));
}
