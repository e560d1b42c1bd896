//! Uuid without the feature.
//!
//! error: `Uuid` cannot be an argument of a tool
//! write: turn on the feature of `agui-runtime` that has its name (`uuid`,

use crate::kit::*;

/// Looks up an order.
#[tool]
async fn look_up(id: uuid::Uuid) -> u32 {
    1
}

#[agent(tools = [look_up])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
