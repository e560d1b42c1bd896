//! Not async.
//!
//! error: an agent waits for others: write `async fn`
//! write: write `async fn`

use crate::kit::*;

#[agent]
fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
