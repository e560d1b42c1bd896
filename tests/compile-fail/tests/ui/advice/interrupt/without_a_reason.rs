//! Without a reason.
//!
//! error: an interrupt needs a reason, by which clients know the question: add `#[interrupt(reason = "salt")]`
//! write: add `#[interrupt(reason = "salt")]`

use crate::kit::*;

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(response = bool)]
struct Salt;
