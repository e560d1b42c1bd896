#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

/// Counts.
#[tool]
async fn price(#[serde(default)] shop: &Shop, name: String) -> u32 {
    name.len() as u32
}

fn main() {}
