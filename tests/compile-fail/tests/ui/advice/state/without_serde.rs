//! Without serde.
//!
//! error: `Dish` cannot be a state or an activity
//! write: write `#[derive(Serialize, Deserialize, JsonSchema, Clone)]` on it, beside `State` or `Activity`

use crate::kit::*;

#[derive(State, Clone)]
struct Dish {
    name: String,
}
