//! Sends a custom event.
//!
//! error: an `Emit` sends no custom events, because it does not know its agent
//! write: take the run, `run: &Run<Chef>`; a helper for every agent with this event is `async fn helper<A: Agent>(run: &Run<A>) where Sizzle: EventOf<A>`, with `agui_runtime::events::EventOf`

use crate::kit::*;

async fn mistake(run: &Emit) -> Result<(), Stop> {
    run.custom(Sizzle { loud: true }).await?;
    Ok(())
}
