//! Changes the state.
//!
//! error: the calls of a run share this value: if `Recipe` is the state of the agent, take `&StateHandle<Recipe>`, and change it with `update`; otherwise take `&Recipe`, and change it through a lock
//! write: take `&StateHandle<Recipe>`, and change it with `update`

use crate::kit::*;

/// Renames the recipe.
#[tool]
async fn rename(recipe: &mut Recipe, title: String) -> u32 {
    1
}

#[agent(state = Recipe, tools = [rename])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
