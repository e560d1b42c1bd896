#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>, other: &Kept) -> Result<FinishedRun<'r, ()>, Stop> {
    Ok(elsewhere(run).await)
}

struct Kept;

async fn elsewhere<'a, 'b>(run: &'a mut Run<Cook>) -> FinishedRun<'b, ()> {
    run.finish(())
}

fn main() {}
