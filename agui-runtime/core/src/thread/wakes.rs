//! Futures in this process that wait for thread changes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_channel::oneshot;
use futures_util::FutureExt;
use futures_util::future::Map;

use super::key::ThreadKey;

/// The waiting futures, by the engine's name for the thread. An engine registers a future before reading the log, so that no
/// change falls between the two.
#[derive(Debug)]
pub struct ThreadWakes<K = ThreadKey>(Mutex<HashMap<K, Vec<oneshot::Sender<()>>>>);

/// Resolves when the thread was woken.
pub type WakeFuture = Map<oneshot::Receiver<()>, fn(Result<(), oneshot::Canceled>)>;

impl<K> Default for ThreadWakes<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash> ThreadWakes<K> {
    /// Registers a future that ends at the thread's next change.
    pub fn register(&self, key: &K) -> WakeFuture {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.lock();
        let of_thread = waiting.entry(key.clone()).or_default();
        // Futures that were dropped leave their half behind; a quiet thread with many readers would keep them all.
        of_thread.retain(|waiting| !waiting.is_canceled());
        of_thread.push(sender);
        receiver.map(drop)
    }

    /// Wakes all futures that wait for a thread.
    pub fn wake(&self, key: &K) {
        let woken = self.lock().remove(key);
        for sender in woken.into_iter().flatten() {
            // The future may have been dropped.
            let _ = sender.send(());
        }
    }

    /// True if a future waits.
    pub fn is_waiting(&self) -> bool {
        self.lock().values().flatten().any(|waiting| !waiting.is_canceled())
    }

    /// Wakes all futures, for an engine that may have missed notices.
    pub fn wake_all(&self) {
        let woken = std::mem::take(&mut *self.lock());
        for sender in woken.into_values().flatten() {
            let _ = sender.send(());
        }
    }

    /// Returns the threads that futures wait for, for an engine that polls.
    pub fn keys(&self) -> Vec<K> {
        let mut waiting = self.lock();
        waiting.retain(|_, of_thread| {
            of_thread.retain(|waiting| !waiting.is_canceled());
            !of_thread.is_empty()
        });
        waiting.keys().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Vec<oneshot::Sender<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
