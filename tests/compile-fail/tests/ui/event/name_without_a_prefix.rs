#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "sizzle")]
struct Sizzle {
    loud: bool,
}

#[agent(events = [Sizzle])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.custom(Sizzle { loud: true }).await?;
    Ok(())
}

fn main() {}
