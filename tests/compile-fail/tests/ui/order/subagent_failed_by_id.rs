#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.subagent_error("sub-1", "no").await;
    Ok(())
}

fn main() {}
