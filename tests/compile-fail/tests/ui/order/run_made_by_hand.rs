#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let run: Run<Cook> = Run { agent: todo!() };
    Ok(())
}

fn main() {}
