//! Flattened number.
//!
//! error: `u32` cannot be flattened into shared state
//! write: `#[serde(flatten)]` wants a struct with named fields, a map or an enum of them

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    #[serde(flatten)]
    weight: u32,
}
