//! A hint takes no text.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(destructive = "no", read_only = true)]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
