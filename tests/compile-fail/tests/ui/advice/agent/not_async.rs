//! Not async.
//!
//! error: an agent is asynchronous: write `async fn`
//! write: write `async fn`

use crate::kit::*;

#[agent]
fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
