#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Interrupt)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm {
    path: String,
}

fn main() {}
