//! Update of the run.
//!
//! error: STATE_DELTA without a baseline
//! write: say it first: `let state = run.state().adopt_or_snapshot(&input).await?;`, then `state.update(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.update(|recipe| recipe.title = "Rice".to_owned()).await?;
    Ok(())
}
