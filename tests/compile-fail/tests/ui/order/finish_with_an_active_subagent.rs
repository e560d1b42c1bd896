#![allow(unused)]

use std::sync::Arc;

use agui_runtime::FinishedRun;
use agui_runtime::prelude::*;

/// Searches.
#[agent]
async fn search(run: &mut Run<Search>, input: Input<Search>) -> Result<(), Stop> {
    Ok(())
}

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>, search: &Arc<Search>) -> Result<FinishedRun<'r, ()>, Stop> {
    let found = run.delegate("search", search, []);
    let finished = run.finish(());
    found.await?;
    Ok(finished)
}

fn main() {}
