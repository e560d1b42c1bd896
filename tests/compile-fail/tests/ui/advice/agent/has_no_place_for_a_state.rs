//! Has no place for a state.
//!
//! error: `Menu` has no place for the state `Recipe` of a subagent
//! write: give `Menu` a field of that type, and write `impl AsMut<Recipe> for Menu`

use std::sync::Arc;

use crate::kit::*;

#[derive(State, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Default)]
struct Menu {
    courses: Vec<String>,
}

#[agent(state = Menu, tools = [Chef])]
async fn host(run: &mut Run<Host>, input: Input<Host>, chef: &Arc<Chef>) -> Result<(), Stop> {
    Ok(())
}
