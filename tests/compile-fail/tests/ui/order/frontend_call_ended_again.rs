#![allow(unused)]

use agui_runtime::prelude::*;

/// Asks the person.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

#[agent(tools = [confirm])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let call = run.call(confirm { total: 3 }).await?;
    call.end();
    Ok(())
}

fn main() {}
