//! The task that looks after the threads of a store: runs whose server was lost, and threads that are too old.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::sleep;

use super::restart::recover;
use super::store::Threads;
use crate::quoted::quoted;
use crate::thread::{LogError, ThreadKey};

/// The number of threads of one look.
const AT_ONCE: usize = 64;

/// Looks after the threads while the server exists.
pub(super) async fn keep(threads: Weak<Threads>) {
    while let Some(kept) = threads.upgrade() {
        let pause = kept.options.lease / 3;
        look(&kept).await;
        drop(kept);
        sleep(pause).await;
    }
}

async fn look(threads: &Arc<Threads>) {
    if let Err(error) = recover_lost(threads).await {
        tracing::warn!(error = %quoted(&error), "lost runs could not be found");
    }
    if let Some(age) = threads.options.delete_after
        && let Err(error) = delete_older(threads, age).await
    {
        tracing::warn!(error = %quoted(&error), "old threads could not be deleted");
    }
}

/// Recovers all lost runs, some at a time. Runs that cannot be recovered stay lost, and the others come after them: each list is
/// twice as long, so all together are not much longer than the last.
async fn recover_lost(threads: &Arc<Threads>) -> Result<(), LogError> {
    let (mut tried, mut most) = (HashSet::new(), AT_ONCE);
    loop {
        let lost = threads.log.expired(most).await?;
        let is_whole = lost.len() < most;
        for key in lost.into_iter().filter(|key| !tried.contains(key)).collect::<Vec<_>>() {
            if let Err(error) = recover(threads, &key).await {
                tracing::warn!(error = %quoted(&error), "a lost run could not be ended");
            }
            tried.insert(key);
        }
        if is_whole {
            return Ok(());
        }
        most *= 2;
    }
}

/// Deletes threads one by one. A thread may be used again at any time: it is deleted as it was when it was found to be too old.
async fn delete_older(threads: &Threads, age: Duration) -> Result<(), LogError> {
    for _ in 0..AT_ONCE {
        let Some(key) = oldest(threads, age).await? else { break };
        let at = threads.log.head(&key).await?.at;
        // An append before the head would have made it younger.
        if oldest(threads, age).await? == Some(key.clone()) {
            threads.log.delete(&key, Some(at)).await?;
        }
    }
    Ok(())
}

/// Returns the oldest thread of an agent. The secret of the store belongs to no agent.
async fn oldest(threads: &Threads, age: Duration) -> Result<Option<ThreadKey>, LogError> {
    let oldest = threads.log.idle(age, 2).await?;
    Ok(oldest.into_iter().find(|key| !key.agent().is_empty()))
}
