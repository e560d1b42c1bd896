#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: String) -> impl Send {
    1
}

fn main() {}
