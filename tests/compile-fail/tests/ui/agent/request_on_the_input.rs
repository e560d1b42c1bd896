#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent]
async fn desk(run: &mut Run<Desk>, #[request] input: Input<Desk>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
