#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let text = run.message().subagent_run_id("sub-1").await;
    Ok(())
}

fn main() {}
