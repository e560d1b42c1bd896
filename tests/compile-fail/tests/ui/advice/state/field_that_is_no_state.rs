//! Field that is no state.
//!
//! error: `Spice` cannot be shared state
//! write: write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole

use crate::kit::*;

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
struct Spice;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    spice: Spice,
}
