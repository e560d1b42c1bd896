//! `/lab/error`: a run that fails in the middle of a message.
//!
//! Any error passed on with `?` does the same. What is open is closed before it.

use agui_runtime::prelude::*;

/// Begins to say something, and fails.
#[agent]
pub async fn failure(run: &mut Run<Failure>, _: Input<Failure>) -> Result<(), Stop> {
    let mut message = run.message().await;
    message.push("partial").await;
    Err(Stop::error("lab failure").with_code("LAB_ERR")) // TEXT_MESSAGE_END, RUN_ERROR
}
