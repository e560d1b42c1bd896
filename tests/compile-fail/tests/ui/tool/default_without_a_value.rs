//! A default needs its value.
use agui_runtime::prelude::*;

/// Lists the orders.
#[tool]
async fn orders(
    /// how many
    #[tool(default)]
    limit: u32,
) -> u32 {
    limit
}

fn main() {}
