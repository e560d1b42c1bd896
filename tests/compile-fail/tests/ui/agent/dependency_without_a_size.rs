#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, name: &str) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
