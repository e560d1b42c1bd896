#![allow(unused)]

use agui_runtime::prelude::*;

#[tool(nam = "price of", colour = 3)]
async fn price(name: &str, (low, high): (u32, u32)) -> &str {
    "much"
}

fn main() {}
