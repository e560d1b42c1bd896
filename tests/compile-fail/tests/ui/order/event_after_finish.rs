#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, ()>, Stop> {
    let finished = run.finish(());
    run.say("late").await;
    Ok(finished)
}

fn main() {}
