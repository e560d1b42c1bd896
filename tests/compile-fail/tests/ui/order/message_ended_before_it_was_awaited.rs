#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let text = run.message();
    text.end();
    Ok(())
}

fn main() {}
