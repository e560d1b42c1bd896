//! That is a plain type.
//!
//! error: `Shop` is not an interrupt
//! write: write `#[derive(Interrupt, Serialize, JsonSchema)]` and `#[interrupt(reason = "…", response = …)]` on it

use crate::kit::*;

#[agent(interrupts = [Shop])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
