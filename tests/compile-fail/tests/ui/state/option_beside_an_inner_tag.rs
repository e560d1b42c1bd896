#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Heat {
    degrees: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(tag = "kind")]
enum Recipe {
    Baked(Option<Heat>),
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
