#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: String, #[cfg(unix)] kilos: u32) -> u32 {
    name.len() as u32
}

fn main() {}
