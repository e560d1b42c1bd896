//! Takes an option that the agent lacks.
//!
//! error: `Cook` has no `Shop` for its tools, not even one that a request may lack
//! write: `#[request] name: Option<&Shop>` for a value that a request may lack

use crate::kit::*;

/// Looks up a price.
#[tool]
async fn look_up(shop: Option<&Shop>) -> u32 {
    1
}

#[agent(tools = [look_up])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
