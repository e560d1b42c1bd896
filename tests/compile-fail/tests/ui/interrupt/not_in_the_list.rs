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

#[agent]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    Err(run.ask(Confirm { path: String::new() }))
}

fn main() {}
