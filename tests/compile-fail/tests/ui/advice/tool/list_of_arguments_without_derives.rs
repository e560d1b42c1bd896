//! List of arguments without derives.
//!
//! error: `Ingredient` cannot be an argument of a tool
//! write: write `#[derive(Serialize, Deserialize, JsonSchema)]` on it; or borrow it, `&Ingredient`, if the agent has it

use crate::kit::*;

struct Ingredient;

/// Weighs them.
#[tool]
async fn weigh(name: String, what: Vec<Ingredient>) -> u32 {
    1
}
