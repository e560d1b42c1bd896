//! Dependency by value.
//!
//! error: an agent lives longer than one run, so a run borrows what the agent depends on: write `&Shop`
//! write: write `&Shop`

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: Shop) -> Result<(), Stop> {
    Ok(())
}
