#![allow(unused)]

use agui_runtime::prelude::*;

struct Price;

/// Counts.
#[tool]
async fn price(name: String) -> Result<Price, std::io::Error> {
    Ok(Price)
}

fn main() {}
