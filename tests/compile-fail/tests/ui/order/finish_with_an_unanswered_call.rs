#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent(strict, tools = [price])]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, ()>, Stop> {
    let call = run.call(price { name: "rice".to_owned() }).await?;
    let finished = run.finish(());
    call.run().await;
    Ok(finished)
}

fn main() {}
