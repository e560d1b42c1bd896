//! Without a schema.
//!
//! error: `Dish` cannot be a state or an activity
//! write: write `#[derive(Serialize, Deserialize, JsonSchema, Clone)]` on it, beside `State` or `Activity`

use crate::kit::*;

#[derive(State, Serialize, Deserialize, Clone)]
struct Dish {
    name: String,
}
