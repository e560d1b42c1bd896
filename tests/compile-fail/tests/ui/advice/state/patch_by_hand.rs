//! Patch by hand.
//!
//! error: STATE_DELTA without a baseline
//! write: change the state, and the delta is generated: `run.state().adopt_or_snapshot(&input).await?.update(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.patch("[]").await?;
    Ok(())
}
