#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price<T: Into<String>>(name: String, other: Vec<T>) -> u32 {
    name.len() as u32
}

fn main() {}
