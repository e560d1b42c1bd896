#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
enum Recipe {
    #[state(opaque)]
    Cooking(String),
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
