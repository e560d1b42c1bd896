#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;
struct Cook;

#[agent]
impl Cook {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// Counts.
    #[tool]
    async fn price(&self, shop: &Shop, name: String) -> u32 {
        name.len() as u32
    }
}

fn main() {}
