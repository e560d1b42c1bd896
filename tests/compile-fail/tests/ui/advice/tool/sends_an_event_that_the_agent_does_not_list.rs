//! Sends an event that the agent does not list.
//!
//! error: `Sizzle` is not an event of `Cook`
//! write: that `#[agent(events = [..])]` lists

use crate::kit::*;

/// Fries.
#[tool]
async fn fry(emit: &TypedEmit<Sizzle>) -> Result<(), Stop> {
    emit.custom(Sizzle { loud: true }).await?;
    Ok(())
}

#[agent(tools = [fry])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
