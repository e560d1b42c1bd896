//! Update with an async block.
//!
//! error: `update` does not wait, because no other change may come between: await before, and give it a plain closure
//! write: await before, and give it a plain closure

use crate::kit::*;

async fn mistake(recipe: &StateHandle<Recipe>) -> Result<(), Stop> {
    recipe.update(|recipe| async move { recipe.title = "Rice".to_owned() }).await?;
    Ok(())
}
