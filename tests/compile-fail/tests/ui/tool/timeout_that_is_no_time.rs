//! A time has a unit.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(timeout = "10 seconds")]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

/// Looks up a customer.
#[tool(timeout = 10)]
async fn customer(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
