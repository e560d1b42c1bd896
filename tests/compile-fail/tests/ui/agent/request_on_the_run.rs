#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent]
async fn desk(#[request] run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
