//! That is a plain type.
//!
//! error: `Shop` is not a custom event
//! write: write `#[derive(CustomEvent, Serialize, JsonSchema)]` on it

use crate::kit::*;

#[agent(events = [Shop])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
