#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

/// Greets.
#[tool]
async fn greet(name: Option<&str>) -> u32 {
    1
}

fn main() {}
