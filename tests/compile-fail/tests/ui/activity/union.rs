#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Activity)]
union Plan {
    at: u32,
}

fn main() {}
