#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm {
    path: String,
}

/// Deletes.
#[tool]
async fn delete(path: String) -> bool {
    true
}

#[agent(tools = [delete], interrupts = [Confirm])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    let call = run.tool::<delete>().await;
    call.ask(Confirm { path: String::new() });
    Ok(())
}

fn main() {}
