//! Lists a plain type.
//!
//! error: `Shop` is neither a tool nor an agent
//! write: list a tool by the name of its function, on which you write `#[tool]`, and an agent by the type

use crate::kit::*;

#[agent(tools = [Shop])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
