#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(CustomEvent)]
union Sizzle {
    loud: u32,
}

fn main() {}
