//! Each option has its place.
use agui_runtime::prelude::*;

/// Lists the orders.
#[tool(default = 10)]
async fn orders(
    /// how many
    #[tool(name = "max")]
    limit: u32,
) -> u32 {
    limit
}

fn main() {}
