#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(response = bool)]
struct Confirm {
    path: String,
}

#[agent(interrupts = [Confirm])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<bool, Stop> {
    match input.resumed::<Confirm>()? {
        Some(asked) => Ok(asked.response == Some(true)),
        None => Err(run.ask(Confirm { path: String::new() })),
    }
}

fn main() {}
