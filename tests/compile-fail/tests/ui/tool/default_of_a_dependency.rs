//! The model does not send it.
use agui_runtime::prelude::*;

struct Shop;

/// Lists the orders.
#[tool]
async fn orders(#[tool(default = Shop)] shop: &Shop) -> u32 {
    let _ = shop;
    7
}

fn main() {}
