#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// It sizzles.
#[derive(CustomEvent, Serialize, JsonSchema)]
struct Sizzle;

/// It sizzles loudly.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "agui-compile-fail-tests.sizzle")]
struct Loud;

#[agent(events = [Sizzle, Loud])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
