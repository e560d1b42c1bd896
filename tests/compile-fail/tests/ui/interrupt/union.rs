#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Interrupt)]
#[interrupt(reason = "confirm", response = bool)]
union Confirm {
    path: u32,
}

fn main() {}
