//! Update with an async closure.
//!
//! error: mismatched types
//! write: await before, and give `update` a plain closure

use crate::kit::*;

async fn mistake(recipe: &StateHandle<Recipe>) -> Result<(), Stop> {
    recipe.update(async |recipe| recipe.title = "Rice".to_owned()).await?;
    Ok(())
}
