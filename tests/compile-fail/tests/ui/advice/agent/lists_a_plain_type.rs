//! Lists a plain type.
//!
//! error: `Shop` is not a tool
//! write: write `#[tool]` on the function of that name

use crate::kit::*;

#[agent(tools = [Shop])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
