//! `/lab/cancelled`: a run that was stopped on purpose, which is neither success nor failure.

use agui_runtime::prelude::*;

/// Begins, and stops.
#[agent]
pub async fn cancelled(run: &mut Run<Cancelled>, _: Input<Cancelled>) -> Result<(), Stop> {
    run.say("On second thought, no.").await;
    Err(Stop::cancelled()) // RUN_FINISHED, cancelled
}
