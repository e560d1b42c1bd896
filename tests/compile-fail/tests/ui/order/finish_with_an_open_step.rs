#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, ()>, Stop> {
    let _step = run.step("plan").await;
    Ok(run.finish(()))
}

fn main() {}
