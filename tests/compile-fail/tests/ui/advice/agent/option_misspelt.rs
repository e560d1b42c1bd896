//! Option misspelt.
//!
//! error: `#[agent]` has no option `tool`; did you mean `tools`?
//! write: did you mean `tools`?

use crate::kit::*;

#[agent(tool = [price])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop) -> Result<(), Stop> {
    Ok(())
}
