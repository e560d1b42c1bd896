#![allow(unused)]

use agui_runtime::prelude::*;

struct Burnt;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Burnt> {
    Ok(3)
}

fn main() {}
