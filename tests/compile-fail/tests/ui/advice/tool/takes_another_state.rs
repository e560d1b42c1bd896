//! Takes another state.
//!
//! error: `Vec<String>` is not the state of `Cook`
//! write: take the handle of the agent's own state, or declare the state: `#[agent(state = Vec<String>)]`

use crate::kit::*;

/// Adds a step.
#[tool]
async fn add(steps: &StateHandle<Vec<String>>) -> u32 {
    1
}

#[agent(state = Recipe, tools = [add])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
