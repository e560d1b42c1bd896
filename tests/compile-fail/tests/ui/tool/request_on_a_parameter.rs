#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

/// Greets.
#[tool]
async fn greet(#[request] who: &Customer) -> u32 {
    1
}

fn main() {}
