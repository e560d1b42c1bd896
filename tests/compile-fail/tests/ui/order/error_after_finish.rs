#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::FinishedRun;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<FinishedRun<'r, ()>, Stop> {
    let finished = run.finish(());
    run.report_usage(agui_runtime::protocol::TokenUsage::new());
    Ok(finished)
}

fn main() {}
