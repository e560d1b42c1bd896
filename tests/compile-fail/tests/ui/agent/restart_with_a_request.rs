#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent(restart)]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request] who: &Customer) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
