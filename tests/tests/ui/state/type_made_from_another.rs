#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(from = "String", into = "String")]
struct Recipe {
    title: String,
}

impl From<String> for Recipe {
    fn from(title: String) -> Self {
        Self { title }
    }
}

impl From<Recipe> for String {
    fn from(recipe: Recipe) -> Self {
        recipe.title
    }
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
