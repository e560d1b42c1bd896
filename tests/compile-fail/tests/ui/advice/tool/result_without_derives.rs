//! Result without derives.
//!
//! error: `Dish` cannot be the result of a tool
//! write: write `#[derive(Serialize, JsonSchema)]` on it

use crate::kit::*;

struct Dish;

/// Cooks.
#[tool]
async fn cook(name: String) -> Dish {
    Dish
}
