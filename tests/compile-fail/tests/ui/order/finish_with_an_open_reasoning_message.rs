#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, ()>, Stop> {
    let think = run.reasoning().await;
    let mut thought = think.message().await;
    let finished = run.finish(());
    thought.push("late").await;
    Ok(finished)
}

fn main() {}
