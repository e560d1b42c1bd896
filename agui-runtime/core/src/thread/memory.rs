//! The in-memory engine: the reference for engine conformance tests.

use std::collections::BTreeMap;
use std::fmt;
use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::append::{AppendError, LogAppend, LogPosition};
use super::head::LogHead;
use super::key::ThreadKey;
use super::listed::ThreadEntry;
use super::log::ThreadLog;
use super::log_error::LogError;
use super::page::{LogPage, LogReadError};
use super::wakes::ThreadWakes;

/// In-memory threads, for tests, and for servers whose threads may end with the process.
///
/// ```
/// use agui_runtime::thread::Memory;
///
/// let threads = Memory::new();
/// ```
#[derive(Clone)]
pub struct Memory(Arc<MemoryShared>);

struct MemoryShared {
    logs: Mutex<BTreeMap<ThreadKey, MemoryLog>>,
    /// The byte limit for all records; beyond the limit, idle threads are forgotten.
    most: Option<usize>,
    /// The total bytes of records. Changed under the lock.
    bytes: AtomicUsize,
    wakes: ThreadWakes,
    now: Box<dyn Fn() -> Duration + Send + Sync>,
}

#[derive(Default)]
struct MemoryLog {
    at: LogPosition,
    /// The first has the sequence number `first`.
    records: Vec<Bytes>,
    first: u64,
    note: Bytes,
    lease_ends: Option<Duration>,
    changed: Duration,
}

impl MemoryLog {
    fn entry(&self, key: &ThreadKey) -> ThreadEntry {
        // Engines keep milliseconds.
        let changed = UNIX_EPOCH + Duration::from_millis(self.changed.as_millis() as u64);
        ThreadEntry::new(key.thread(), changed, self.note.clone())
    }

    fn is_over(&self, now: Duration) -> bool {
        self.lease_ends.is_some_and(|end| end <= now)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Creates an empty [`Memory`] store.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// Creates a store whose leases follow the caller's clock, which returns the time since the Unix epoch: for simulations.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::thread::Memory;
    ///
    /// let stopped = Memory::with_clock(|| Duration::from_secs(1_800_000_000));
    /// ```
    #[must_use]
    pub fn with_clock(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self::with_limit(None, now)
    }

    /// Creates a store that forgets the longest idle threads once all records exceed `bytes`.
    #[cfg(feature = "server")]
    pub(crate) fn bounded(bytes: usize) -> Self {
        Self::with_limit(Some(bytes), || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    fn with_limit(most: Option<usize>, now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(MemoryShared {
            logs: Mutex::default(),
            most,
            bytes: AtomicUsize::new(0),
            wakes: ThreadWakes::default(),
            now: Box::new(now),
        }))
    }

    fn grow(&self, records: &[Bytes]) {
        self.0.bytes.fetch_add(bytes(records), Ordering::Relaxed);
    }

    fn shrink<'r>(&self, records: impl IntoIterator<Item = &'r Bytes>) {
        self.0.bytes.fetch_sub(bytes(records), Ordering::Relaxed);
    }

    /// Forgets idle threads, least recently changed first, until an eighth of the limit is free. The server's secret, which
    /// belongs to no agent, stays.
    fn forget(&self, logs: &mut BTreeMap<ThreadKey, MemoryLog>) {
        let held = || self.0.bytes.load(Ordering::Relaxed);
        let Some(most) = self.0.most.filter(|most| held() > *most) else { return };
        let resting = logs.iter().filter(|(key, log)| log.lease_ends.is_none() && !key.agent().is_empty());
        let mut resting: Vec<_> = resting.map(|(key, log)| (log.changed, key.clone())).collect();
        resting.sort_unstable();
        for (_, key) in resting {
            if held() <= most - most / 8 {
                return;
            }
            self.shrink(logs.remove(&key).iter().flat_map(|log| &log.records));
            self.0.wakes.wake(&key);
        }
    }

    // No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<ThreadKey, MemoryLog>> {
        self.0.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        (self.0.now)()
    }

    fn append_now(&self, key: &ThreadKey, append: LogAppend) -> Result<LogPosition, AppendError> {
        append.check_size(usize::MAX)?;
        let LogAppend { at, epoch, records, note, lease } = append;
        let now = self.now();
        let mut logs = self.lock();
        let found = logs.get(key).map(|log| log.at).unwrap_or_default();
        if found != at {
            return Err(AppendError::Conflict { at: found });
        }
        if at.seq == 0 && records.is_empty() {
            return Ok(at);
        }
        let log = logs.entry(key.clone()).or_insert_with(|| MemoryLog { first: 1, ..MemoryLog::default() });
        log.at = LogPosition { epoch, seq: at.seq + records.len() as u64 };
        self.grow(&records);
        log.records.extend(records);
        if let Some(note) = note {
            log.note = note;
        }
        log.lease_ends = lease.map(|time| now.saturating_add(time));
        log.changed = now;
        let at = log.at;
        self.forget(&mut logs);
        drop(logs);
        self.0.wakes.wake(key);
        Ok(at)
    }

    fn read_now(&self, key: &ThreadKey, after: u64, bytes: usize) -> Result<LogPage, LogReadError> {
        let logs = self.lock();
        let Some(log) = logs.get(key) else { return Ok(LogPage::default()) };
        if after != 0 && after < log.first {
            return Err(LogReadError::Trimmed { first: log.first });
        }
        let skipped = after.saturating_add(1).saturating_sub(log.first);
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        let (mut page, mut taken) = (LogPage::new(Vec::new(), log.at), 0);
        for (number, record) in (log.first..).zip(&log.records).skip(skipped) {
            taken += record.len();
            if !page.records.is_empty() && taken > bytes {
                break;
            }
            page.records.push((number, record.clone()));
        }
        Ok(page)
    }

    fn head_now(&self, key: &ThreadKey) -> LogHead {
        let now = self.now();
        self.lock().get(key).map_or_else(LogHead::default, |log| LogHead {
            at: log.at,
            first: log.first,
            note: log.note.clone(),
            lease: log.lease_ends.map(|end| end.saturating_sub(now)),
        })
    }

    fn renew_now(&self, key: &ThreadKey, epoch: u64, time: Duration) -> bool {
        let now = self.now();
        match self.lock().get_mut(key) {
            Some(log) if log.at.epoch == epoch && log.lease_ends.is_some() => {
                log.lease_ends = Some(now.saturating_add(time));
                true
            }
            _ => false,
        }
    }

    fn expired_now(&self, most: usize) -> Vec<ThreadKey> {
        let now = self.now();
        self.oldest(most, |log| log.lease_ends.filter(|_| log.is_over(now)))
    }

    fn idle_now(&self, time: Duration, most: usize) -> Vec<ThreadKey> {
        let now = self.now();
        let is_idle = |log: &MemoryLog| log.lease_ends.is_none() && log.changed.saturating_add(time) <= now;
        self.oldest(most, |log| is_idle(log).then_some(log.changed))
    }

    /// Returns the threads for which `time` gives a time, in time order.
    fn oldest(&self, most: usize, time: impl Fn(&MemoryLog) -> Option<Duration>) -> Vec<ThreadKey> {
        let logs = self.lock();
        let mut found: Vec<_> = logs.iter().filter_map(|(key, log)| Some((time(log)?, key))).collect();
        found.sort();
        found.into_iter().take(most).map(|(_, key)| key.clone()).collect()
    }

    fn trim_now(&self, key: &ThreadKey, upto: LogPosition, snapshot: Bytes) {
        if let Some(log) = self.lock().get_mut(key)
            && log.at.epoch == upto.epoch
            && (log.first + 1..=log.at.seq).contains(&upto.seq)
            && let Ok(gone) = usize::try_from(upto.seq - log.first)
        {
            self.grow(std::slice::from_ref(&snapshot));
            let trimmed: Vec<_> = log.records.splice(..=gone, [snapshot]).collect();
            self.shrink(&trimmed);
            log.first = upto.seq;
        }
    }

    fn list_now(
        &self,
        owner: &str,
        agent: &str,
        after: Option<&ThreadEntry>,
        most: usize,
    ) -> Vec<ThreadEntry> {
        let logs = self.lock();
        let mut found: Vec<_> = logs
            .iter()
            .filter(|(key, _)| key.owner() == owner && key.agent() == agent)
            .map(|(key, log)| log.entry(key))
            .collect();
        drop(logs);
        found.sort_by(|a, b| order(a).cmp(&order(b)));
        let is_later = |listed: &ThreadEntry| after.is_none_or(|after| order(listed) > order(after));
        found.into_iter().filter(is_later).take(most).collect()
    }
}

/// A record's memory besides the text, in bytes.
const RECORD: usize = 64;

fn bytes<'r>(records: impl IntoIterator<Item = &'r Bytes>) -> usize {
    records.into_iter().map(|record| record.len() + RECORD).sum()
}

/// Orders the last changed first; threads changed at the same time by id.
fn order(listed: &ThreadEntry) -> (std::cmp::Reverse<SystemTime>, &str) {
    (std::cmp::Reverse(listed.changed), &listed.thread)
}

impl ThreadLog for Memory {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        ready(self.append_now(key, append)).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>> {
        ready(self.read_now(key, after, bytes)).boxed()
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>> {
        ready(Ok(self.head_now(key))).boxed()
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        let woken = self.0.wakes.register(key);
        if self.head_now(key).at.seq == after { woken.boxed() } else { ready(()).boxed() }
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        ready(Ok(self.renew_now(key, epoch, time))).boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        ready(Ok(self.expired_now(most))).boxed()
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        self.trim_now(key, upto, snapshot);
        ready(Ok(())).boxed()
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>> {
        ready(Ok(self.list_now(owner, agent, after, most))).boxed()
    }

    fn entry<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadEntry>, LogError>> {
        ready(Ok(self.lock().get(key).map(|log| log.entry(key)))).boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        let mut logs = self.lock();
        let is_meant = logs.get(key).is_some_and(|log| at.is_none_or(|at| log.at == at));
        let deleted = if is_meant { logs.remove(key) } else { None };
        self.shrink(deleted.iter().flat_map(|log| &log.records));
        let is_deleted = deleted.is_some();
        drop(logs);
        self.0.wakes.wake(key);
        ready(Ok(is_deleted)).boxed()
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        ready(Ok(self.idle_now(time, most))).boxed()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("threads", &self.lock().len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[cfg(all(feature = "a2a", feature = "server"))]
mod tests {
    use super::*;

    const KIB: usize = 1024;

    async fn append(log: &Memory, key: &ThreadKey, lease: Option<Duration>) {
        let at = log.head_now(key).at;
        let records = vec![vec![b'x'; 10 * KIB].into()];
        log.append(key, LogAppend { at, epoch: 1, records, note: None, lease }).await.unwrap();
    }

    #[tokio::test]
    async fn a_bounded_store_forgets_the_threads_that_rested_longest() {
        let log = Memory::bounded(100 * KIB);
        let (secret, running) = (ThreadKey::new("", "", "secret"), ThreadKey::new("", "/", "running"));
        append(&log, &secret, None).await;
        append(&log, &running, Some(Duration::from_secs(60))).await;
        let key = |number: u32| ThreadKey::new("", "/", format!("{number:03}"));
        for number in 0..50 {
            append(&log, &key(number), None).await;
        }
        let seq = |key: &ThreadKey| log.head_now(key).at.seq;
        assert_eq!((seq(&secret), seq(&running), seq(&key(49)), seq(&key(0))), (1, 1, 1, 0));
        let kept = (0..50).filter(|number| seq(&key(*number)) == 1).count();
        assert!((5..10).contains(&kept), "{kept}");
        // One thread that is larger than the store, and trimmed.
        for _ in 0..20 {
            append(&log, &running, Some(Duration::from_secs(60))).await;
        }
        log.trim(&running, log.head_now(&running).at, "all".into()).await.unwrap();
        assert_eq!(seq(&key(49)), 0);
        append(&log, &key(50), None).await;
        assert!(log.delete(&running, None).await.unwrap() && log.delete(&key(50), None).await.unwrap());
        assert!(log.delete(&secret, None).await.unwrap());
        assert_eq!(log.0.bytes.load(Ordering::Relaxed), 0);
    }
}
