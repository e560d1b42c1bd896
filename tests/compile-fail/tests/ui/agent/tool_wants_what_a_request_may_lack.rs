#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

/// Greets.
#[tool]
async fn greet(who: &Customer) -> u32 {
    1
}

#[agent(tools = [greet])]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request] who: Option<&Customer>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
