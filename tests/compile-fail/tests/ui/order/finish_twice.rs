#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, u32>, Stop> {
    let once = run.finish(1);
    let _twice = run.finish(2);
    Ok(once)
}

fn main() {}
