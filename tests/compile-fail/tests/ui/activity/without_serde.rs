#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Activity)]
struct Plan {
    at: u32,
}

fn main() {}
