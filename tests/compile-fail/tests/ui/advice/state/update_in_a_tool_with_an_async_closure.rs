//! Update in a tool with an async closure.
//!
//! error: `update` does not wait, because no other change may come between: await before, and give it a plain closure
//! write: await before, and give it a plain closure

use crate::kit::*;

/// Renames the recipe.
#[tool]
async fn rename(recipe: &StateHandle<Recipe>, title: String) -> Result<(), Stop> {
    recipe.update(async |recipe| recipe.title = title).await?;
    Ok(())
}
