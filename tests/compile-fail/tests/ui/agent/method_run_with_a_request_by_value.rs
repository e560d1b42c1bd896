#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

struct Desk;

#[agent]
impl Desk {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>, #[request] who: Customer) -> Result<(), Stop> {
        Ok(())
    }
}

fn main() {}
