#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    title: String,
    #[serde(flatten)]
    minutes: u32,
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
