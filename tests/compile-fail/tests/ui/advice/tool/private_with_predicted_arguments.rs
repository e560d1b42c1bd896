//! Private with predicted arguments.
//!
//! error: `private` and `predict` exclude each other: the state shows predicted arguments to the page; leave one of them out
//! write: leave one of them out

use crate::kit::*;

/// Names the dish.
#[tool(private, predict(title = "recipe.title"))]
async fn name_dish(recipe: &StateHandle<Recipe>, title: String) {}
