#![allow(unused)]

use agui_runtime::prelude::*;

struct Recipe;

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
