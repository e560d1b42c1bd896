//! Reads the state.
//!
//! error: an `Emit` has no state, because it does not know its agent
//! write: take the run, `run: &Run<Chef>`; or the handle, `state: &StateHandle<Recipe>`, which `run.state().adopt_or_snapshot(&input).await?` gives

use crate::kit::*;

async fn mistake(run: &Emit) -> Result<(), Stop> {
    let recipe = run.state();
    Ok(())
}
