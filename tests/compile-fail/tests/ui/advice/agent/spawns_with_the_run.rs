//! Spawns with the run.
//!
//! error: a task may outlive the run, so it cannot use `run`: write `let mut tasks = run.tasks();`, then `tasks.spawn(async move |emit: Emit| { … Ok(()) });`, and wait with `tasks.join().await?`
//! write: write `let mut tasks = run.tasks();`, then `tasks.spawn(async move |emit: Emit| { … Ok(()) });`, and wait with `tasks.join().await?`

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    tokio::spawn(async move {
        run.say("Still here.").await;
    });
    Ok(())
}
