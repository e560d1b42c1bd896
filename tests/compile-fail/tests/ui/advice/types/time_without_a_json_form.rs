//! Time without a json form.
//!
//! error: `std::time::Instant` cannot be shared state
//! write: a type without serde's and schemars' traits is wrapped in a type of your own that has them

use std::time::Instant;

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Timer {
    since: Instant,
}
