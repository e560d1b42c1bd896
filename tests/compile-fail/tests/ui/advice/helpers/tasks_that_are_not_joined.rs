//! Tasks that are not joined.
//!
//! error: unused `RunTasks` that must be used
//! write: tasks are aborted when this is dropped: `tasks.join().await?` waits for them

use crate::kit::*;

async fn mistake(run: &Emit) {
    run.tasks();
}
