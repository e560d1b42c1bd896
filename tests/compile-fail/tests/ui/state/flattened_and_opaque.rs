#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
struct Photo {
    url: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    #[serde(flatten)]
    #[state(opaque)]
    photo: Photo,
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
