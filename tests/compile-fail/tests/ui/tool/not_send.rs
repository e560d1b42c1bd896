#![allow(unused)]

use agui_runtime::prelude::*;

use std::rc::Rc;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    let held = Rc::new(name);
    std::future::ready(()).await;
    held.len() as u32
}

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}

fn main() {}
