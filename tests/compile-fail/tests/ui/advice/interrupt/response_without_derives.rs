//! Response without derives.
//!
//! error: `Grams` cannot be the response to an interrupt
//! write: write `#[derive(Deserialize, JsonSchema)]` on it

use crate::kit::*;

struct Grams;

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "salt", response = Grams)]
struct Salt;
