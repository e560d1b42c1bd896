#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(State, Clone)]
struct Recipe {
    title: String,
}

fn main() {}
