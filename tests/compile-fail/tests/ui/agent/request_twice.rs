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
async fn desk(
    run: &mut Run<Desk>,
    input: Input<Desk>,
    #[request] who: &Customer,
    #[request] other: Option<&Customer>,
) -> Result<(), Stop> {
    run.call(greet {}).await?.run().await;
    Ok(())
}

fn main() {}
