#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request] who: &str) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
