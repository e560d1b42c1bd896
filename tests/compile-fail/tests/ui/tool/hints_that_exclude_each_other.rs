//! A tool that changes nothing, and destroys something.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(read_only, destructive)]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
