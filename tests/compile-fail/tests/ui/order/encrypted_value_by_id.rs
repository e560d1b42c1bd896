#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.encrypted("m-1", "signature").await;
    Ok(())
}

fn main() {}
