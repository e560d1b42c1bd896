//! How many runs go on at once: in all, for each thread, for each identity.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{Extensions, StatusCode};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::limits::Limits;
use super::metrics;
use super::rejection::Rejection;

/// How long a run waits for a place of its thread or identity: a client that aborts a run and starts the next at once would otherwise
/// find the old one still there.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads from a request's extensions the key by which its client is counted.
pub(super) type IdentityKey = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;

/// The places of a server for runs.
pub(super) struct Places {
    runs: usize,
    per_thread: usize,
    per_identity: usize,
    taken: Mutex<Taken>,
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    runs: usize,
    shared: HashMap<Key, usize>,
}

/// Runs that share a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Of one thread with one agent. Without the identity, a client could block the threads of others by guessing their ids.
    Thread {
        path: Arc<str>,
        identity: Option<String>,
        thread: String,
    },
    Identity(String),
}

impl Places {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            runs: limits.runs,
            per_thread: limits.runs_per_thread,
            per_identity: limits.runs_per_identity,
            taken: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// Takes a place for a run, of which nothing is known yet but that it is asked for.
    pub(super) fn take(self: &Arc<Self>) -> Result<Place, Rejection> {
        let mut taken = self.lock();
        if taken.runs >= self.runs {
            drop(taken);
            return Err(Rejection::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "server_busy",
                format!("as many runs go on as this server takes, which is {}: try again later", self.runs),
            )
            .retry_after(1));
        }
        taken.runs += 1;
        drop(taken);
        metrics::run_started();
        Ok(Place { places: Arc::clone(self), keys: Vec::new() })
    }

    fn limit(&self, key: &Key) -> usize {
        match key {
            Key::Thread { .. } => self.per_thread,
            Key::Identity(_) => self.per_identity,
        }
    }

    fn try_share(&self, key: &Key) -> bool {
        let limit = self.limit(key);
        let mut taken = self.lock();
        match taken.shared.entry(key.clone()) {
            Entry::Occupied(mut count) if *count.get() < limit => *count.get_mut() += 1,
            Entry::Vacant(count) if limit > 0 => _ = count.insert(1),
            _ => return false,
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one run; dropping it frees it.
pub(super) struct Place {
    places: Arc<Places>,
    keys: Vec<Key>,
}

impl Place {
    /// Counts the run for its thread and its identity, or refuses it when these have too many for a second.
    pub(super) async fn of(
        mut self,
        path: &Arc<str>,
        thread: &str,
        identity: Option<String>,
    ) -> Result<Self, Rejection> {
        let deadline = Instant::now() + PATIENCE;
        let thread =
            Key::Thread { path: Arc::clone(path), identity: identity.clone(), thread: thread.to_owned() };
        for key in identity.map(Key::Identity).into_iter().chain([thread]) {
            self.share(key, deadline).await?;
        }
        Ok(self)
    }

    async fn share(&mut self, key: Key, deadline: Instant) -> Result<(), Rejection> {
        loop {
            let freed = self.places.freed.notified();
            if self.places.try_share(&key) {
                self.keys.push(key);
                return Ok(());
            }
            if timeout_at(deadline, freed).await.is_err() {
                return Err(refuse(&key, self.places.limit(&key)));
            }
        }
    }
}

fn refuse(key: &Key, limit: usize) -> Rejection {
    match key {
        // Only the end of the other run helps, and when that will be is not known: so not 429, which clients repeat by themselves.
        Key::Thread { .. } => Rejection::new(
            StatusCode::CONFLICT,
            "thread_busy",
            format!(
                "the thread has {limit} runs, and no more go on at once: wait for one to end, or abort it"
            ),
        ),
        Key::Identity(_) => Rejection::new(
            StatusCode::TOO_MANY_REQUESTS,
            "identity_busy",
            format!("you have {limit} runs, and no more go on at once: wait for one to end, or abort it"),
        )
        .retry_after(1),
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        taken.runs = taken.runs.saturating_sub(1);
        for key in &self.keys {
            if let Some(count) = taken.shared.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    taken.shared.remove(key);
                }
            }
        }
        drop(taken);
        metrics::run_ended();
        if !self.keys.is_empty() {
            self.places.freed.notify_waiters();
        }
    }
}
