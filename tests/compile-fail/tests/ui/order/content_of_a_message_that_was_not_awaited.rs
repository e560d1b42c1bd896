#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let mut text = run.message();
    text.push("hi").await;
    Ok(())
}

fn main() {}
