#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
struct Step(String);

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
enum Recipe {
    Empty,
    Cooking { step: Step },
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
