#![allow(unused)]

use agui_runtime::prelude::*;

struct Closed;

/// Counts.
#[tool]
async fn price(name: String) -> Result<u32, Closed> {
    Ok(1)
}

fn main() {}
