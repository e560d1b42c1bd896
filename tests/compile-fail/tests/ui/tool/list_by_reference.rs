#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(names: &[String]) -> u32 {
    names.len() as u32
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.call(price { names: vec![] }).await?.run().await;
    Ok(())
}

fn main() {}
