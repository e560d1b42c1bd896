#![allow(unused)]

use agui_runtime::prelude::*;

/// Asks.
#[tool(frontend = true)]
async fn price(name: String) -> u32;

fn main() {}
