//! Lists a tool that does not exist.
//!
//! error: cannot find value `prise` in this scope
//! write: a function with a similar name exists

use crate::kit::*;

#[agent(tools = [prise])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
