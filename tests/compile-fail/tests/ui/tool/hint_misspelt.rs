//! The nearest hint is named.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(readonly, idempotant)]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
