//! Without a schema.
//!
//! error: `Smoke` cannot be a custom event
//! write: write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it

use crate::kit::*;

#[derive(CustomEvent, Serialize)]
struct Smoke {
    dense: bool,
}
