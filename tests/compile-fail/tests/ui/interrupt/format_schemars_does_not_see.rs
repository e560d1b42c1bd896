#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

fn loudly<S: serde::Serializer>(path: &str, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&path.to_uppercase())
}

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm {
    #[serde(serialize_with = "loudly")]
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
