//! Error in the middle.
//!
//! error: RUN_ERROR is the last event of a run
//! write: return it: `return Err(Stop::error(..))`, or `?` on any error

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.error("no rice").await?;
    Ok(())
}
