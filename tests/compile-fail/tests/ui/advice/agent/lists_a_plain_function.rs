//! Lists a plain function.
//!
//! error: a plain function is not a tool: write `#[tool]` on it
//! write: write `#[tool]` on it

use crate::kit::*;

async fn stir(times: u32) -> u32 {
    times
}

#[agent(tools = [stir])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
