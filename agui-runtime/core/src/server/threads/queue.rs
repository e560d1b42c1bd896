//! Requests that wait for a busy thread: each server lets them begin in arrival order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::thread::ThreadKey;

/// Queues by thread, for threads with waiting requests.
#[derive(Debug, Default)]
pub(super) struct ThreadQueues(Mutex<HashMap<ThreadKey, Weak<Turn<()>>>>);

/// The first place in a queue. Dropping the value lets the next request begin.
#[derive(Debug)]
pub(super) struct QueuePlace {
    _turn: OwnedMutexGuard<()>,
}

impl ThreadQueues {
    /// Waits until all earlier requests have begun or left.
    pub(super) async fn first_place(&self, key: &ThreadKey) -> QueuePlace {
        let turn = {
            let mut queues = self.lock();
            queues.retain(|_, turn| turn.strong_count() > 0);
            let turn = queues.get(key).and_then(Weak::upgrade).unwrap_or_default();
            queues.insert(key.clone(), Arc::downgrade(&turn));
            turn
        };
        // It serves its waiters in their order.
        QueuePlace { _turn: turn.lock_owned().await }
    }

    /// True if a request waits for the thread.
    pub(super) fn has_queue(&self, key: &ThreadKey) -> bool {
        self.lock().get(key).is_some_and(|turn| turn.strong_count() > 0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadKey, Weak<Turn<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn requests_begin_in_their_order_and_one_that_leaves_holds_up_none() {
        let (queues, key) = (ThreadQueues::default(), ThreadKey::new("", "/", "t"));
        assert!(!queues.has_queue(&key));
        let first = queues.first_place(&key).await;
        let mut second = Box::pin(queues.first_place(&key));
        let mut third = Box::pin(queues.first_place(&key));
        let mut other = Box::pin(queues.first_place(&key));
        for waiting in [&mut second, &mut third, &mut other] {
            assert!(waiting.now_or_never().is_none());
        }
        drop((first, second));
        assert!((&mut other).now_or_never().is_none(), "one came before");
        let third = third.await;
        drop(third);
        drop(other.await);
        assert!(!queues.has_queue(&key));
        assert!(queues.first_place(&ThreadKey::new("", "/", "u")).now_or_never().is_some());
    }
}
