#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    return Err(Stop::await_frontend(["call-1"]));
    Ok(())
}

fn main() {}
