#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request(optional)] who: &Customer) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
