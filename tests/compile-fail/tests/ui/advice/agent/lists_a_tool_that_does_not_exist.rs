//! Lists a tool that does not exist.
//!
//! error: cannot find type `prise` in this scope
//! write: a struct with a similar name exists

use crate::kit::*;

#[agent(tools = [prise])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
