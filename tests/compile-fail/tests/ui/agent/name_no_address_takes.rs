#![allow(unused)]

use agui_runtime::prelude::*;

#[agent(name = "the cook")]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
