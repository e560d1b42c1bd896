#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let call = run.tool::<price>().await;
    run.messages_snapshot(vec![]).await;
    call.end()?.run().await;
    Ok(())
}

fn main() {}
