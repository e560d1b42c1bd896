#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Waiter>) -> Result<(), Stop> {
    Ok(())
}

#[agent]
async fn waiter(run: &mut Run<Waiter>, input: Input<Waiter>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
