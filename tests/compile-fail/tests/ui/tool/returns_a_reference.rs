#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

/// Counts.
#[tool]
async fn price(shop: &Shop, name: String) -> &str {
    "much"
}

fn main() {}
