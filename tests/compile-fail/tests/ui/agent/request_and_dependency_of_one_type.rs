#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

#[agent]
async fn desk(
    run: &mut Run<Desk>,
    input: Input<Desk>,
    owner: &Customer,
    #[request] who: &Customer,
) -> Result<(), Stop> {
    Ok(())
}

fn made() -> Desk {
    Desk::new(Customer)
}

fn main() {}
