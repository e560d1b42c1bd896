#![allow(unused)]

use agui_runtime::prelude::*;

async fn helper(emit: &Emit) {
    emit.end_reasoning().await;
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    helper(run).await;
    Ok(())
}

fn main() {}
