//! Calls an agent that it has not.
//!
//! error: `Cook` has no `Arc<Waiter>` for its tools
//! write: give the agent one, as a parameter behind `input`: `name: &Arc<Waiter>` of the `#[agent]` function

use crate::kit::*;

#[agent(tools = [Waiter])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
