//! Borrows the state.
//!
//! error: `Cook` has no `Recipe` for its tools
//! write: if `Recipe` is the state of the agent, take `&StateHandle<Recipe>`

use crate::kit::*;

/// Looks at the recipe.
#[tool]
async fn look(recipe: &Recipe) -> u32 {
    1
}

#[agent(state = Recipe, tools = [look])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
