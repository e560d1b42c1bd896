#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook;

#[agent]
impl Cook {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        run.call(price { name: "rice".to_owned() }).await?.run().await;
        Ok(())
    }

    /// Counts.
    #[tool]
    async fn price(&mut self, name: String) -> u32 {
        name.len() as u32
    }
}

fn main() {}
