//! Time without a json form.
//!
//! error: `std::time::Instant` cannot be shared state
//! write: write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole

use std::time::Instant;

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Timer {
    since: Instant,
}
