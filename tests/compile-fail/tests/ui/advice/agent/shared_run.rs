//! Shared run.
//!
//! error: an agent's first parameter is its run
//! write: `async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop>`

use crate::kit::*;

#[agent]
async fn cook(run: &Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
