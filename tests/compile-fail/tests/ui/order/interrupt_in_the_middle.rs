#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::Interrupt;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.interrupt(Interrupt::new("i-1", "confirmation")).await?;
    Ok(())
}

fn main() {}
