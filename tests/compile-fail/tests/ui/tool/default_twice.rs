//! One default is enough.
use agui_runtime::prelude::*;

/// Lists the orders.
#[tool]
async fn orders(
    /// how many
    #[tool(default = 10)]
    #[serde(default)]
    limit: u32,
) -> u32 {
    limit
}

fn main() {}
