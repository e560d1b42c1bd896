#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
struct Price {
    name: String,
}

fn price(price: Price) -> String {
    price.name
}

fn main() {}
