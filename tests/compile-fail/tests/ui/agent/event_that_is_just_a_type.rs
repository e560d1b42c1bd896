#![allow(unused)]

use agui_runtime::prelude::*;

struct Sizzle;

#[agent(events = [Sizzle])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
