#![allow(unused)]

use agui_runtime::prelude::*;

/// Asks.
#[tool(frontend)]
async fn confirm(total: u32) -> bool {
    total > 3
}

#[agent(tools = [confirm])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let call = run.call(confirm { total: 3 }).await?;
    Err(Stop::await_frontend([call]))
}

fn main() {}
