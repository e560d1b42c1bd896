#![allow(unused)]

use agui_runtime::prelude::*;

struct Burnt;

fn bake() -> Result<u32, Burnt> {
    Err(Burnt)
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Stop> {
    Ok(bake()?)
}

fn main() {}
