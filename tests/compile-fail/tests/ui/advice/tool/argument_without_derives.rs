//! Argument without derives.
//!
//! error: `Ingredient` cannot be an argument of a tool
//! write: write `#[derive(Serialize, Deserialize, JsonSchema)]` on it; or borrow it, `&Ingredient`, if the agent has it

use crate::kit::*;

struct Ingredient;

/// Weighs it.
#[tool]
async fn weigh(what: Ingredient) -> u32 {
    1
}
