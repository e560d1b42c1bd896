//! The agents that the mistakes are about, and the names that they use.

pub use agui_runtime::prelude::*;
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};

/// A recipe.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Recipe {
    pub title: String,
    pub steps: Vec<String>,
}

/// The shop that knows the prices.
pub struct Shop;

/// Looks up a price.
#[tool]
pub async fn price(shop: &Shop, name: String) -> u32 {
    180
}

/// Asks the user if that is all.
#[tool(frontend)]
pub async fn confirm(total: u32) -> bool;

/// Something is in the pan.
#[derive(CustomEvent, Serialize, JsonSchema)]
pub struct Sizzle {
    pub loud: bool,
}

/// Asks for permission.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "allow", response = bool)]
pub struct Allow {
    pub what: String,
}

/// Cooks with you.
#[agent(state = Recipe, tools = [price, confirm], events = [Sizzle], interrupts = [Allow])]
pub async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shop: &Shop) -> Result<(), Stop> {
    Ok(())
}

/// Waits at the table.
#[agent]
pub async fn waiter(run: &mut Run<Waiter>, input: Input<Waiter>) -> Result<(), Stop> {
    Ok(())
}
