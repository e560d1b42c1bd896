#![allow(unused)]

use agui_runtime::prelude::*;

mod shop {
    use super::*;

    /// Counts.
    #[tool]
    pub async fn price(name: String) -> u32 {
        name.len() as u32
    }
}

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent(tools = [price, shop::price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
