#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::events::MessageRef;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let parent = MessageRef { id: "m-1".into() };
    let call = run.call(price { name: "rice".to_owned() }).parent(&parent).await?;
    Ok(())
}

fn main() {}
