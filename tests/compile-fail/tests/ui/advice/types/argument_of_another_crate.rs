//! Argument of another crate.
//!
//! error: `std::time::Instant` cannot be an argument of a tool
//! write: wrap it in a type of your own that has these derives

use crate::kit::*;

/// Waits.
#[tool]
async fn wait(since: std::time::Instant) -> u32 {
    1
}
