#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

/// Asks.
#[tool(frontend)]
async fn confirm(shop: &Shop, total: u32) -> bool;

fn main() {}
