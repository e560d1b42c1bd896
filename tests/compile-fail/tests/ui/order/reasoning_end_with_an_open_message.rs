#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let think = run.reasoning().await;
    let mut thought = think.message().await;
    think.end();
    thought.push("too late").await;
    Ok(())
}

fn main() {}
