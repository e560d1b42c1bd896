//! In the middle.
//!
//! error: RUN_FINISHED with an interrupt is the last event of a run
//! write: return it: `return Err(Stop::interrupt(..))`; the next run finds the answer in its input

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.interrupt(Allow { what: "fire".to_owned() }).await?;
    Ok(())
}
