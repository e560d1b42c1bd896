#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(CustomEvent)]
struct Sizzle {
    loud: bool,
}

fn main() {}
