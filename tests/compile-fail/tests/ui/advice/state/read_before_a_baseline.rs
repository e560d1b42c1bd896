//! Read before a baseline.
//!
//! error: STATE_DELTA without a baseline
//! write: say it first: `let state = run.state().adopt_or_snapshot(&input).await?;`, then `state.update(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let steps = run.state().read(|recipe| recipe.steps.len()).await?;
    Ok(())
}
