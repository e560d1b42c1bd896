//! A state without the derive.
//!
//! error: `Shop` cannot be shared state
//! write: write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole

use crate::kit::*;

#[agent(state = Shop)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
