#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let think = run.reasoning().await;
    let thought = think.message();
    thought.end();
    Ok(())
}

fn main() {}
