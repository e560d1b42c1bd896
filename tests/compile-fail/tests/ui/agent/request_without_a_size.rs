#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

trait Person {}

#[agent]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request] who: &dyn Person) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
