#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<crate::Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
