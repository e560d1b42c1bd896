#![allow(unused)]

use agui_runtime::prelude::*;

#[agent(state = u32)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.state_delta(vec![("add", "/a")]).await?;
    Ok(())
}

fn main() {}
