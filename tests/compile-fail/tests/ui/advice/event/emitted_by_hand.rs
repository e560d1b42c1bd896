//! Emitted by hand.
//!
//! error: events are not sent by hand
//! write: say what is meant: `run.message()`, `run.step(..)`, `run.call(..)`, `run.custom(..)`, `run.state()`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.emit(Sizzle { loud: true }).await?;
    Ok(())
}
