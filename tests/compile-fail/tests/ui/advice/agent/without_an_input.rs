//! Without an input.
//!
//! error: an agent takes its input after its run
//! write: `async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop>`

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>) -> Result<(), Stop> {
    Ok(())
}
