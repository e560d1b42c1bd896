//! Takes the handle mutably.
//!
//! error: this is shared by the calls of a run, and none of its methods needs `&mut`: take `&StateHandle<Recipe>`
//! write: take `&StateHandle<Recipe>`

use crate::kit::*;

/// Renames the recipe.
#[tool]
async fn rename(recipe: &mut StateHandle<Recipe>, title: String) -> u32 {
    1
}

#[agent(state = Recipe, tools = [rename])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
