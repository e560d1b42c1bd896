#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price((name, kilos): (String, u32)) -> u32 {
    name.len() as u32 * kilos
}

fn main() {}
