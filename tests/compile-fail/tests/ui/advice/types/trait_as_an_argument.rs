//! Trait as an argument.
//!
//! error: a tool's parameter needs one type, because the model needs one schema: write it out
//! write: write it out

use crate::kit::*;

/// Weighs it.
#[tool]
async fn weigh(what: impl ToString) -> u32 {
    1
}
