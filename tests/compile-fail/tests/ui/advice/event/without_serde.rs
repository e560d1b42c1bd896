//! Without serde.
//!
//! error: `Smoke` cannot be a custom event
//! write: write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it

use crate::kit::*;

#[derive(CustomEvent)]
struct Smoke {
    dense: bool,
}
