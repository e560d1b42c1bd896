//! A tool of another module.

use agui_runtime::prelude::*;

/// Counts what is in stock.
#[tool]
pub async fn count(name: String) -> usize {
    name.len()
}

/// Weighs what was bought.
#[tool]
pub async fn weigh(grams: u32) -> u32 {
    grams
}
