#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
struct Cook;

fn cook() -> Cook {
    Cook
}

fn main() {}
