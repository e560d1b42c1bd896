//! Text by reference.
//!
//! error: a parameter by reference comes from the agent, not from the model: write `String`
//! write: write `String`

use crate::kit::*;

/// Cooks.
#[tool]
async fn cook(name: &str) -> u32 {
    1
}
