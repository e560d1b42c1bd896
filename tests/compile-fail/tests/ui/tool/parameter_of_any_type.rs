#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: impl Into<String>) -> u32 {
    name.into().len() as u32
}

fn main() {}
