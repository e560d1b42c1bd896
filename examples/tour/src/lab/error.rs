//! `/lab/error`: a run that fails in the middle of a message.
//!
//! Any error passed on with `?` does the same. The agent has only begun to say something, but what was begun is ended before RUN_ERROR:
//! AG-UI 1.0 allows RUN_ERROR with anything open, and drops it. Clients, though, take a message for complete at its END: until then they
//! show that somebody writes, tell no hook of the new message, and those of 0.0.36 refuse everything but its own events, RUN_ERROR too,
//! and say nothing of the failure.

use agui_runtime::prelude::*;

/// Begins to say something, and fails.
#[agent]
pub async fn failure(run: &mut Run<Failure>, _: Input<Failure>) -> Result<(), Stop> {
    let mut message = run.message().await;
    message.push("partial").await;
    Err(Stop::error("lab failure").with_code("LAB_ERR")) // TEXT_MESSAGE_END, RUN_ERROR
}
