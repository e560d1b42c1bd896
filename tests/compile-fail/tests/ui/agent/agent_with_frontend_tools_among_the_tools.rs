#![allow(unused)]

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Asks the user if that is all.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

/// Asks.
#[agent(tools = [confirm])]
async fn asker(run: &mut Run<Asker>, input: Input<Asker>) -> Result<(), Stop> {
    Ok(())
}

#[agent(tools = [Asker])]
async fn host(run: &mut Run<Host>, input: Input<Host>, asker: &Arc<Asker>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
