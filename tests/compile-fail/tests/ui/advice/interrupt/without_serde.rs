//! Without serde.
//!
//! error: `Salt` cannot be an interrupt
//! write: write `#[derive(Interrupt, Serialize, JsonSchema)]` on it

use crate::kit::*;

#[derive(Interrupt)]
#[interrupt(reason = "salt", response = bool)]
struct Salt;
