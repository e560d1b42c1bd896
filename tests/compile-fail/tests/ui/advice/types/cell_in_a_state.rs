//! Cell in a state.
//!
//! error: `Cell<bool>` cannot be shared state
//! write: write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole

use std::cell::Cell;

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    eaten: Cell<bool>,
}
