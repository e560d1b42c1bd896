#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(State, Clone)]
struct Recipe {
    title: String,
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
