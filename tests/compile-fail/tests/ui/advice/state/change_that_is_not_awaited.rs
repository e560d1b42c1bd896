//! Change that is not awaited.
//!
//! error: unused `WriteFuture` that must be used
//! write: nothing is sent until it is awaited

use crate::kit::*;

async fn mistake(recipe: &StateHandle<Recipe>) {
    recipe.update(|recipe| recipe.title = "Rice".to_owned());
}
