//! Error that cannot move.
//!
//! error: a tool may run on any thread, and this error cannot move to another: write `Box<dyn Error + Send + Sync>`
//! write: write `Box<dyn Error + Send + Sync>`

use crate::kit::*;

/// Looks up a price.
#[tool]
async fn look_up(name: String) -> Result<u32, Box<dyn std::error::Error>> {
    Ok(1)
}

#[agent(tools = [look_up])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
