#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Id {
    id: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    #[serde(flatten)]
    #[state(key)]
    id: Id,
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
