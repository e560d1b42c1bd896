//! Tasks speak in the run, so they are over before it is.
#![allow(unused)]
use agui_runtime::FinishedRun;
use agui_runtime::prelude::*;

#[agent(strict)]
async fn chef<'r>(run: &'r mut Run<Chef>, input: Input<Chef>) -> Result<FinishedRun<'r, ()>, Stop> {
    let tasks = run.tasks();
    let done = run.finish(());
    drop(tasks);
    Ok(done)
}

fn main() {}
