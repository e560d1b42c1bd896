#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::StateHandle;

/// Counts.
#[tool]
async fn price(state: &StateHandle<u32>, name: String) -> u32 {
    name.len() as u32
}

#[agent(state = String, tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
