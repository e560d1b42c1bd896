#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(State)]
union Recipe {
    title: u32,
}

fn main() {}
