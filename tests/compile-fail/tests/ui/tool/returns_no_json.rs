#![allow(unused)]

use agui_runtime::prelude::*;

struct Price;

/// Counts.
#[tool]
async fn price(name: String) -> Price {
    Price
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}

fn main() {}
