//! A title is for people to read.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(title = " ")]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
