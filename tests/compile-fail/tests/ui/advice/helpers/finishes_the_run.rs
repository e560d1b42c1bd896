//! Finishes the run.
//!
//! error: RUN_FINISHED is the last event of a run, and a helper does not end the run
//! write: return the value to the agent, which ends the run with `Ok(value)`

use crate::kit::*;

async fn mistake(run: &Emit) -> Result<(), Stop> {
    run.finish(()).await
}
