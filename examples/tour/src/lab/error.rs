//! `/lab/error`: a run that fails in the middle of a message.
//!
//! Any error passed on with `?` ends the run, and whatever is open before it: what was said is then whole for whoever reads it. Here it
//! is not, and says so: for a client of 1.0 a message that breaks off has no end.

use agui_runtime::prelude::*;

/// Begins to say something, and fails.
#[agent]
pub async fn failure(run: &mut Run<Failure>, _: Input<Failure>) -> Result<(), Stop> {
    let mut message = run.message().await;
    message.push("partial").await;
    message.break_off();
    Err(Stop::error("lab failure").with_code("LAB_ERR")) // RUN_ERROR, without TEXT_MESSAGE_END for a client of 1.0
}
