//! Lists under an attribute.
//!
//! error: only `#[cfg(..)]` may stand before an item of a list: leave this attribute out
//! write: leave this attribute out

use crate::kit::*;

#[agent(tools = [#[allow(unused)] price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop) -> Result<(), Stop> {
    Ok(())
}
