//! Text by reference.
//!
//! error: a parameter by reference is lent by the agent, not filled in by the model: write `String`
//! write: write `String`

use crate::kit::*;

/// Cooks.
#[tool]
async fn cook(name: &str) -> u32 {
    1
}
