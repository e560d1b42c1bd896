#![allow(unused)]

use agui_runtime::prelude::*;

struct Confirm;

#[agent(interrupts = [Confirm])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
