//! Spawns with emit.
//!
//! error: a task may outlive the run, so it cannot use `emit`: write `let mut tasks = emit.tasks();`, then `tasks.spawn(async move |emit: Emit| { … Ok(()) });`, and wait with `tasks.join().await?`
//! write: write `let mut tasks = emit.tasks();`, then `tasks.spawn(async move |emit: Emit| { … Ok(()) });`, and wait with `tasks.join().await?`

use crate::kit::*;

/// Stirs for long.
#[tool]
async fn stir(emit: &Emit, times: u32) {
    tokio::spawn(async move {
        emit.say("Stirred.").await;
    });
}
