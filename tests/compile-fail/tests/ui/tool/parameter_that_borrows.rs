#![allow(unused)]

use agui_runtime::prelude::*;

use std::borrow::Cow;

/// Counts.
#[tool]
async fn price(name: Cow<'_, str>) -> u32 {
    name.len() as u32
}

fn main() {}
