#![allow(unused)]

use agui_runtime::prelude::*;

#[agent(strict)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Stop> {
    Ok(3)
}

fn main() {}
