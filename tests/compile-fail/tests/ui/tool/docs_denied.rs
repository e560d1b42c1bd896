//! Each parameter must be described.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(docs = "deny")]
async fn order(number: u64, #[schemars(description = "Its year.")] year: u16) -> u64 {
    number + u64::from(year)
}

/// Looks up a customer.
#[tool(docs = "forbid")]
async fn customer(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
