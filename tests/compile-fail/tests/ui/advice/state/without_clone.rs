//! Without clone.
//!
//! error: `Dish` cannot be shared state
//! write: write `#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]` on it

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema)]
struct Dish {
    name: String,
}
