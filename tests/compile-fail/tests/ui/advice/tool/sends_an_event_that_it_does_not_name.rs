//! Sends an event that it does not name.
//!
//! error: `Sizzle` is not among the events that this tool names
//! write: add it to the type of the parameter, `&TypedEmit<(Sizzle, ..)>`

use crate::kit::*;

/// Something boils.
#[derive(CustomEvent, Serialize, JsonSchema)]
pub struct Boil {
    litres: u32,
}

/// Fries.
#[tool]
async fn fry(emit: &TypedEmit<(Boil,)>) -> Result<(), Stop> {
    emit.custom(Sizzle { loud: true }).await?;
    Ok(())
}

#[agent(tools = [fry], events = [Sizzle, Boil])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
