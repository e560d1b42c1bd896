#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: Shop) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
