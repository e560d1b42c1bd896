//! Update with an async block.
//!
//! error: lifetime may not live long enough

use crate::kit::*;

async fn mistake(recipe: &StateHandle<Recipe>) -> Result<(), Stop> {
    recipe.update(|recipe| async move { recipe.title = "Rice".to_owned() }).await?;
    Ok(())
}
