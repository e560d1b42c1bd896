//! Concurrent runs: their number in all, for each client, thread and identity; and the bytes in their bodies.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hmac_sha256::Hash as Sha256;
use http::{Extensions, StatusCode};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::budget::{BodyBudget, BodyShare, ClientKey};
use super::server_limits::Limits;
use crate::server::metrics;
use crate::server::metrics::{QueueWait, RunQueue};
use crate::server::response::rejection::Rejection;

/// The time that a run waits for a slot of its thread or identity: a client that aborts a run and starts the next at once would
/// otherwise find the aborted run still active.
const PATIENCE: Duration = Duration::from_secs(1);

/// The keys for most runs: client and thread.
const KEYS: usize = 2;

/// Minimum default for one client: a small server may have a single user.
const OF_ONE_CLIENT: usize = 16;

/// Returns a client's key, from the extensions of its request.
pub(in crate::server) type IdentityKeyFn = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;

/// A server's run slots.
pub(in crate::server) struct RunSlots {
    runs: usize,
    per_client: usize,
    per_thread: usize,
    per_identity: usize,
    bodies: Arc<BodyBudget>,
    taken: Mutex<RunCounts>,
    freed: Notify,
}

#[derive(Default)]
struct RunCounts {
    runs: usize,
    shared: HashMap<RunLimitKey, usize>,
}

impl RunCounts {
    /// Counts one more run for a key, if the key's limit allows.
    fn share(&mut self, key: &RunLimitKey, limit: usize) -> bool {
        match self.shared.entry(key.clone()) {
            Entry::Occupied(mut count) if *count.get() < limit => *count.get_mut() += 1,
            Entry::Vacant(count) if limit > 0 => _ = count.insert(1),
            _ => return false,
        }
        true
    }
}

/// The key for runs that share a limit. Except for the identity, its size is fixed, because it is hashed under a lock that all
/// requests share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum RunLimitKey {
    Client(ClientKey),
    /// One agent's thread. The identity is included, because otherwise a client could block other clients' threads by guessing
    /// their ids.
    Thread {
        path: Arc<str>,
        identity: Option<Arc<str>>,
        /// SHA-256 of the id, which may be as long as a body.
        thread: [u8; 32],
    },
    Identity(Arc<str>),
}

impl RunLimitKey {
    fn thread(path: &Arc<str>, identity: Option<&Arc<str>>, thread: &str) -> Self {
        let thread = Sha256::hash(thread.as_bytes());
        Self::Thread { path: Arc::clone(path), identity: identity.cloned(), thread }
    }

    /// Returns the queue in which a run waits for the key's slot, if the key has a queue.
    fn queue(&self) -> Option<RunQueue> {
        match self {
            Self::Client(_) => None,
            Self::Thread { .. } => Some(RunQueue::Thread),
            Self::Identity(_) => Some(RunQueue::Identity),
        }
    }
}

impl RunSlots {
    pub(in crate::server) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            runs: limits.runs,
            per_client: limits.runs_per_client.unwrap_or((limits.runs / 4).max(OF_ONE_CLIENT)),
            per_thread: limits.runs_per_thread,
            per_identity: limits.runs_per_identity,
            bodies: BodyBudget::new(limits),
            taken: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// Returns a request body's budget share; empty so far.
    pub(in crate::server) fn body(&self, client: Option<ClientKey>) -> BodyShare {
        self.bodies.share(client)
    }

    /// Takes a slot for a run of which only the body is known.
    pub(in crate::server) fn take(self: &Arc<Self>, body: BodyShare) -> Result<RunSlot, Rejection> {
        let mut taken = self.lock();
        if taken.runs >= self.runs {
            drop(taken);
            return Err(Rejection::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "server_busy",
                format!("the server has reached its limit of {} runs: try again later", self.runs),
            )
            .retry_after(1));
        }
        let client = body.client().cloned().map(RunLimitKey::Client);
        if let Some(client) = &client
            && !taken.share(client, self.per_client)
        {
            drop(taken);
            return Err(refuse(client, self.per_client));
        }
        taken.runs += 1;
        drop(taken);
        metrics::run_started();
        let mut keys = Vec::with_capacity(KEYS);
        keys.extend(client);
        Ok(RunSlot { run_slots: Arc::clone(self), keys, body: Arc::new(body), is_taken: true })
    }

    fn limit(&self, key: &RunLimitKey) -> usize {
        match key {
            RunLimitKey::Client(_) => self.per_client,
            RunLimitKey::Thread { .. } => self.per_thread,
            RunLimitKey::Identity(_) => self.per_identity,
        }
    }

    fn try_share(&self, key: &RunLimitKey) -> bool {
        self.lock().share(key, self.limit(key))
    }

    fn lock(&self) -> MutexGuard<'_, RunCounts> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One run's slot; dropping the value frees the slot.
pub(in crate::server) struct RunSlot {
    run_slots: Arc<RunSlots>,
    keys: Vec<RunLimitKey>,
    /// The run keeps the body's content in memory.
    body: Arc<BodyShare>,
    /// False while the request waits for another run, and counts for nothing.
    is_taken: bool,
}

impl RunSlot {
    /// Returns the body's budget share.
    pub(in crate::server) fn body(&self) -> &Arc<BodyShare> {
        &self.body
    }

    /// Returns the run's client; `None` if unknown.
    pub(in crate::server) fn client(&self) -> Option<&ClientKey> {
        self.body.client()
    }

    /// Counts the run for its thread and identity, or refuses the run if either stays at its limit for a second.
    pub(in crate::server) async fn for_thread(
        mut self,
        path: &Arc<str>,
        thread: &str,
        identity: Option<String>,
    ) -> Result<Self, Rejection> {
        let deadline = Instant::now() + PATIENCE;
        let identity = identity.map(Arc::from);
        let thread = RunLimitKey::thread(path, identity.as_ref(), thread);
        for key in identity.map(RunLimitKey::Identity).into_iter().chain([thread]) {
            self.share(key, deadline).await?;
        }
        Ok(self)
    }

    /// Counts the run for the identity alone, after waiting up to a second.
    pub(in crate::server) async fn for_identity(mut self, identity: Option<&str>) -> Result<Self, Rejection> {
        if let Some(identity) = identity {
            self.share(RunLimitKey::Identity(identity.into()), Instant::now() + PATIENCE).await?;
        }
        Ok(self)
    }

    /// Counts the run for the identity without waiting.
    pub(in crate::server) fn for_identity_now(mut self, identity: Option<&str>) -> Result<Self, Rejection> {
        if let Some(identity) = identity {
            let key = RunLimitKey::Identity(identity.into());
            if !self.run_slots.try_share(&key) {
                return Err(refuse(&key, self.run_slots.limit(&key)));
            }
            self.keys.push(key);
        }
        Ok(self)
    }

    /// Frees the slot while the request waits for another run to end.
    pub(in crate::server) fn release(&mut self) {
        if !std::mem::take(&mut self.is_taken) {
            return;
        }
        let mut taken = self.run_slots.lock();
        taken.runs = taken.runs.saturating_sub(1);
        let had_keys = !self.keys.is_empty();
        for key in self.keys.drain(..) {
            if let Some(count) = taken.shared.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    taken.shared.remove(&key);
                }
            }
        }
        drop(taken);
        metrics::run_ended();
        if had_keys {
            self.run_slots.freed.notify_waiters();
        }
    }

    /// Counts the run again, for its client and the identity. Returns false if the server, the client or the identity is at the
    /// limit.
    pub(in crate::server) fn take_again(&mut self, identity: Option<&str>) -> bool {
        let client = self.client().cloned().map(RunLimitKey::Client);
        let identity = identity.map(|identity| RunLimitKey::Identity(identity.into()));
        let keys: Vec<_> = client.into_iter().chain(identity).collect();
        let slots = &self.run_slots;
        let mut taken = slots.lock();
        let has_room =
            |key: &RunLimitKey| taken.shared.get(key).is_none_or(|count| *count < slots.limit(key));
        if taken.runs >= slots.runs || !keys.iter().all(has_room) {
            return false;
        }
        taken.runs += 1;
        for key in &keys {
            taken.share(key, slots.limit(key));
        }
        drop(taken);
        metrics::run_started();
        self.keys = keys;
        self.is_taken = true;
        true
    }

    async fn share(&mut self, key: RunLimitKey, deadline: Instant) -> Result<(), Rejection> {
        let mut waiting = None;
        let shared = loop {
            let freed = self.run_slots.freed.notified();
            if self.run_slots.try_share(&key) {
                break Ok(());
            }
            // A request that gives up meanwhile has waited too.
            if let (None, Some(queue)) = (&waiting, key.queue()) {
                waiting = Some(QueueWait::begin(queue));
            }
            if timeout_at(deadline, freed).await.is_err() {
                break Err(refuse(&key, self.run_slots.limit(&key)));
            }
        };
        drop(waiting);
        self.keys.extend(shared.is_ok().then_some(key));
        shared
    }
}

fn refuse(key: &RunLimitKey, limit: usize) -> Rejection {
    match key {
        // Only the end of the other run helps, and its time is unknown: so the status is not 429, which clients retry
        // automatically.
        RunLimitKey::Thread { .. } => Rejection::new(
            StatusCode::CONFLICT,
            "thread_busy",
            format!("the thread has reached its limit of {limit} runs: wait for one to end, or abort it"),
        ),
        RunLimitKey::Client(_) => Rejection::new(
            StatusCode::TOO_MANY_REQUESTS,
            "client_busy",
            format!("your runs have reached the limit of {limit} for one client: try again later"),
        )
        .retry_after(1),
        RunLimitKey::Identity(_) => Rejection::new(
            StatusCode::TOO_MANY_REQUESTS,
            "identity_busy",
            format!("you have reached your limit of {limit} runs: wait for one to end, or abort it"),
        )
        .retry_after(1),
    }
}

impl fmt::Debug for RunSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSlot").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash, Hasher};

    use super::*;

    /// Counts the bytes that are hashed.
    #[derive(Default)]
    struct HashedByteCount(u64);

    impl Hasher for HashedByteCount {
        fn write(&mut self, bytes: &[u8]) {
            self.0 += bytes.len() as u64;
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn the_key_of_a_long_thread_id_is_no_longer_than_that_of_a_short_one() {
        let (path, identity) = (Arc::from("/agents/writer"), Arc::from("ada"));
        let key = |thread: &str| RunLimitKey::thread(&path, Some(&identity), thread);
        let bytes = |thread: &str| {
            let mut bytes = HashedByteCount::default();
            key(thread).hash(&mut bytes);
            bytes.finish()
        };
        let long = "t".repeat(1_000_000);
        assert_eq!(bytes(&long), bytes("t"));
        assert_eq!(key(&long), key(&long));
        assert_ne!(key(&long), key(&long[1..]));
    }
}
