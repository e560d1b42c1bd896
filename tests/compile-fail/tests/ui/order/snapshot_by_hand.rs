#![allow(unused)]

use agui_runtime::prelude::*;

#[agent(state = u32)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.snapshot(&7).await?;
    Ok(())
}

fn main() {}
