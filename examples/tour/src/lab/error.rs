//! `/lab/error`: a run that fails in the middle of a message.
//!
//! Any error passed on with `?` closes the open messages and ends the run: a reader then takes the text for complete.
//! Here it is not complete, so the message is broken off: for a client of 1.0 it has no end.

use agui_runtime::prelude::*;

/// Begins a message, and fails.
#[agent]
pub async fn failure(run: &mut Run<Failure>, _: Input<Failure>) -> Result<(), Stop> {
    let mut message = run.message().await;
    message.push("partial").await;
    message.break_off();
    Err(Stop::error("lab failure").with_code("LAB_ERR")) // RUN_ERROR, without TEXT_MESSAGE_END for a client of 1.0
}
