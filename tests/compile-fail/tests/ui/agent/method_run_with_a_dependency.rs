#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;
struct Cook;

#[agent]
impl Cook {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>, shop: &Shop) -> Result<(), Stop> {
        Ok(())
    }
}

fn main() {}
