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
    let call = run.open_call("price").await?;
    let finished = run.finish(());
    drop(call);
    Ok(finished)
}

fn main() {}
