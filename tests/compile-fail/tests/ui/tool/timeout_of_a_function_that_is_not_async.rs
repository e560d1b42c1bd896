//! Nothing stops a function that does not wait.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(timeout = "10s")]
fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

fn main() {}
