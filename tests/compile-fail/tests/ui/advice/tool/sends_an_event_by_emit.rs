//! Sends an event by emit.
//!
//! error: an `Emit` sends no custom events, because it does not know its agent
//! write: in a tool, take a handle that names the event, `emit: &TypedEmit<Sizzle>`

use crate::kit::*;

/// Fries.
#[tool]
async fn fry(emit: &Emit) -> Result<(), Stop> {
    emit.custom(Sizzle { loud: true }).await?;
    Ok(())
}

#[agent(tools = [fry], events = [Sizzle])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
