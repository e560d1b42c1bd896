//! Tool wants more.
//!
//! error: `Cook` has no `Shop` for its tools
//! write: give the agent one, as a parameter behind `input`: `name: &Shop` of the `#[agent]` function

use crate::kit::*;

#[agent(tools = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
