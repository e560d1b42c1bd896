//! A size has a unit, or is a number of bytes.
use agui_runtime::prelude::*;

/// Lists the orders.
#[tool(max_result = "64 kilobytes")]
async fn orders() -> Vec<u64> {
    vec![]
}

/// Lists the customers.
#[tool(max_result = 0)]
async fn customers() -> Vec<u64> {
    vec![]
}

fn main() {}
