#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook;

#[agent]
impl Cook {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// Counts.
    #[cfg(unix)]
    #[tool]
    async fn price(&self, name: String) -> u32 {
        name.len() as u32
    }
}

fn main() {}
