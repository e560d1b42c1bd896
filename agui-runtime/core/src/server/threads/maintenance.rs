//! The store maintenance task: recovers lost runs, and deletes threads that are too old.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::restart::{RecoveryFailure, recover};
use super::store::ServerThreads;
use crate::quoted::quoted;
use crate::thread::{LogError, ThreadKey};

/// The number of threads in one pass, and in the first list of lost runs.
const AT_ONCE: usize = 64;

/// The maximum length of a lost-run list, which bounds memory.
const LONGEST: usize = 16 * 1024;

/// Maintains the threads while the server exists.
pub(super) async fn maintain(threads: Weak<ServerThreads>) {
    let mut slow = HashSet::new();
    while let Some(threads) = threads.upgrade() {
        let pause = threads.options.lease / 3;
        look(&threads, &mut slow).await;
        drop(threads);
        sleep(pause).await;
    }
}

async fn look(threads: &Arc<ServerThreads>, slow: &mut HashSet<ThreadKey>) {
    if let Err(error) = recover_lost(threads, slow).await {
        tracing::warn!(error = %quoted(&error), "lost runs could not be found");
    }
    if let Some(age) = threads.options.delete_after
        && let Err(error) = delete_older(threads, age).await
    {
        tracing::warn!(error = %quoted(&error), "old threads could not be deleted");
    }
}

/// Recovers all lost runs. A run that cannot be recovered stays lost, and comes first in the next list. So each list is twice as
/// long as the list before: all lists together are at most twice as long as the last. If more runs than that cannot be recovered,
/// the runs behind them wait for the next pass. So do all others if the store keeps one attempt waiting; the next pass tries that
/// attempt last.
async fn recover_lost(threads: &Arc<ServerThreads>, slow: &mut HashSet<ThreadKey>) -> Result<(), LogError> {
    let mut stuck = HashSet::new();
    let recovered = recover_all(threads, &mut stuck, slow).await;
    threads.set_stuck(&stuck);
    recovered
}

async fn recover_all(
    threads: &Arc<ServerThreads>,
    stuck: &mut HashSet<ThreadKey>,
    slow: &mut HashSet<ThreadKey>,
) -> Result<(), LogError> {
    let slow_before = std::mem::take(slow);
    let (mut failed, mut last, mut most) = (HashSet::new(), Vec::new(), AT_ONCE);
    loop {
        let lost = threads.log.expired(most).await?;
        let (is_whole, known) = (lost.len() < most, failed.len());
        let new: Vec<_> = lost.into_iter().filter(|key| !failed.contains(key)).collect();
        let found = new.len();
        for key in new {
            let outcome = match slow_before.contains(&key) {
                true => {
                    last.push(key.clone());
                    RecoveryAttempt::Failed
                }
                false => attempt(threads, &key, stuck).await,
            };
            match outcome {
                RecoveryAttempt::Recovered => {}
                RecoveryAttempt::Failed => drop(failed.insert(key)),
                RecoveryAttempt::Waited => {
                    slow.extend(last);
                    slow.insert(key);
                    return all_wait(threads, stuck).await;
                }
            }
        }
        if is_whole {
            break;
        }
        if most == LONGEST && failed.len() - known == found {
            tracing::warn!(runs = most, "lost runs wait, because too many before them could not be ended");
            break;
        }
        most = LONGEST.min(2 * most);
    }
    let mut last = last.into_iter();
    while let Some(key) = last.next() {
        if matches!(attempt(threads, &key, stuck).await, RecoveryAttempt::Waited) {
            // The next look tries the others first.
            slow.extend(last.chain([key]));
            return all_wait(threads, stuck).await;
        }
    }
    Ok(())
}

/// The outcome for a lost run.
enum RecoveryAttempt {
    /// The run has ended or goes on.
    Recovered,
    /// The run stays lost.
    Failed,
    /// The store gave no clear result for a long time.
    Waited,
}

async fn attempt(
    threads: &Arc<ServerThreads>,
    key: &ThreadKey,
    stuck: &mut HashSet<ThreadKey>,
) -> RecoveryAttempt {
    if threads.local_runs.has_thread(key) {
        // This server is too busy to renew its own lease in time.
        return RecoveryAttempt::Failed;
    }
    let begun = Instant::now();
    match recover(threads, key).await {
        Ok(true) => return RecoveryAttempt::Recovered,
        // Also a store that gives no clear answer, as a full disk: if the run stays lost, its readers get a code.
        Ok(false) => drop(stuck.insert(key.clone())),
        Err(error) => {
            tracing::warn!(error = %quoted(&error), "a lost run could not be ended");
            if !matches!(error, RecoveryFailure::Busy) {
                stuck.insert(key.clone());
            }
        }
    }
    let has_waited = stuck.contains(key) && begun.elapsed() >= threads.options.lease / 3;
    if has_waited { RecoveryAttempt::Waited } else { RecoveryAttempt::Failed }
}

/// Marks all lost runs as stuck. Waiting once more for each run would take their readers too long.
async fn all_wait(threads: &Arc<ServerThreads>, stuck: &mut HashSet<ThreadKey>) -> Result<(), LogError> {
    let all = threads.log.expired(LONGEST).await?;
    stuck.extend(all.into_iter().filter(|key| !threads.local_runs.has_thread(key)));
    Ok(())
}

/// Deletes old threads one by one, each only if unchanged since found: a client may use a thread again at any time.
async fn delete_older(threads: &ServerThreads, age: Duration) -> Result<(), LogError> {
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

/// Returns the oldest agent thread. The store's secret and waiting webhooks belong to no agent.
async fn oldest(threads: &ServerThreads, age: Duration) -> Result<Option<ThreadKey>, LogError> {
    let mut most = 2;
    loop {
        let idle = threads.log.idle(age, most).await?;
        let is_whole = idle.len() < most;
        let oldest = idle.into_iter().find(|key| !key.agent().is_empty());
        if oldest.is_some() || is_whole || most >= LONGEST {
            return Ok(oldest);
        }
        most *= 2;
    }
}
