//! Changes the state.
//!
//! error: STATE_DELTA without a baseline
//! write: take the handle, `state: &StateHandle<S>`, which `run.state().adopt_or_snapshot(&input).await?` gives: `state.update(..).await?`

use crate::kit::*;

async fn mistake(run: &Emit) -> Result<(), Stop> {
    run.update(|recipe: &mut Recipe| recipe.title = "Rice".to_owned()).await?;
    Ok(())
}
