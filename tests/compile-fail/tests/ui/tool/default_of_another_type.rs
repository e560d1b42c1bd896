//! The default has the type of its parameter.
use agui_runtime::prelude::*;

/// Lists the orders.
#[tool]
async fn orders(
    /// how many
    #[tool(default = true)]
    limit: u32,
) -> u32 {
    limit
}

fn main() {}
