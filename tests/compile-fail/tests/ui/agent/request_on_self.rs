#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(Clone)]
struct Customer;

struct Desk;

#[agent]
impl Desk {
    async fn run(#[request] &self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        Ok(())
    }
}

fn main() {}
