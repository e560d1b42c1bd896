#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm;

#[agent(interrupts = [Confirm, Confirm])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
