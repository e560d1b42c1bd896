//! Step finished by name.
//!
//! error: STEP_FINISHED for a step that was not started here
//! write: a step finishes itself: `let step = run.step("plan").await;`, then `step.finish()`, or drop it

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.finish_step("boil").await?;
    Ok(())
}
