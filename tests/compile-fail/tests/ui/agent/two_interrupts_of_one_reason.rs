#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm;

/// Asks again.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = u32)]
struct Sure;

#[agent(interrupts = [Confirm, Sure])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
