//! The task that looks after the threads of a store: runs whose server was lost, and threads that are too old.

use std::sync::Weak;

use tokio::time::sleep;

use super::store::{Threads, nonce, now};
use crate::quoted::quoted;
use crate::thread::end_lost_run;

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

async fn look(threads: &Threads) {
    match threads.log.expired(AT_ONCE).await {
        Ok(lost) => {
            for key in lost {
                match end_lost_run(&threads.log, &key, nonce(), now()).await {
                    Ok(true) => {
                        tracing::warn!(thread = %quoted(key.thread()), "a run ended whose server was lost");
                    }
                    Ok(false) => {}
                    Err(error) => tracing::warn!(error = %quoted(&error), "a lost run could not be ended"),
                }
            }
        }
        Err(error) => tracing::warn!(error = %quoted(&error), "lost runs could not be found"),
    }
    let Some(age) = threads.options.delete_after else { return };
    match threads.log.idle(age, AT_ONCE).await {
        Ok(old) => {
            // The secret of the store belongs to no agent.
            for key in old.into_iter().filter(|key| !key.agent().is_empty()) {
                if let Err(error) = threads.log.delete(&key).await {
                    tracing::warn!(error = %quoted(&error), "an old thread could not be deleted");
                }
            }
        }
        Err(error) => tracing::warn!(error = %quoted(&error), "old threads could not be found"),
    }
}
