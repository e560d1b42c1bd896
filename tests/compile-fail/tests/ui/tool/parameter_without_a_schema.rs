#![allow(unused)]

use agui_runtime::prelude::*;

struct Ingredient;

/// Counts.
#[tool]
async fn price(name: Ingredient) -> u32 {
    1
}

fn main() {}
