#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let step = run.step("plan").await;
    step.finish();
    step.finish();
    Ok(())
}

fn main() {}
