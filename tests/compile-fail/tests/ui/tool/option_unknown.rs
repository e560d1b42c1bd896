#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool(colour = 3)]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}

fn main() {}
