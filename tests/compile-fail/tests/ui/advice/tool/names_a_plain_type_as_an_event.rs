//! Names a plain type as an event.
//!
//! error: `Shop` is no list of custom events
//! write: write `&TypedEmit<Sizzle>`

use crate::kit::*;

/// Fries.
#[tool]
async fn fry(emit: &TypedEmit<Shop>) -> u32 {
    1
}

#[agent(tools = [fry])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
