#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.activity_snapshot("a-1", 3).await;
    Ok(())
}

fn main() {}
