#![allow(unused)]

use std::error::Error;

use agui_runtime::prelude::*;

fn bake() -> Result<u32, Box<dyn Error>> {
    Ok(3)
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Stop> {
    Ok(bake()?)
}

fn main() {}
