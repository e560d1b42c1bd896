#![allow(unused)]

use agui_runtime::prelude::*;

#[agent(state = u32)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.state().update(|count| *count += 1).await?;
    Ok(())
}

fn main() {}
