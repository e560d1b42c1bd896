#![allow(unused)]

use agui_runtime::prelude::*;

struct Price;

#[agent(tools = [Price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
