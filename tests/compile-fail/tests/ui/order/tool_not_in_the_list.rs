#![allow(unused)]

use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}


#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}

fn main() {}
