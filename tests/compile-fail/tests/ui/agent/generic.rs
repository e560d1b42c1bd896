#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook<T>(run: &mut Run<Cook>, input: Input<Cook>, shop: &Vec<T>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
