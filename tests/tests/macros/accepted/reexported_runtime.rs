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

/// Counts.
#[kit::agui::tool(crate = crate::kit::agui)]
async fn price(name: String) -> usize {
    name.len()
}

#[kit::agui::agent(crate = crate::kit::agui, state = Recipe, tools = [price], events = [Sizzle])]
async fn cook(_: &mut Run<Cook>, _: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {
    let _ = Cook::new();
}
