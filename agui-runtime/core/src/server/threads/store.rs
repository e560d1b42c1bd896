//! A server's log, and what the server knows about threads.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OnceCell, Semaphore, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep};

use super::backoff::StoreBackoff;
use super::conversation::fold::{FoldError, FoldedThread};
use super::conversation::note::ThreadNote;
use super::conversation::run_control::{OwnerMessage, tell_owner};
use super::epoch::new_epoch;
use super::local_runs::LocalRuns;
use super::maintenance;
use super::options::ThreadOptions;
use super::queue::ThreadQueues;
use super::readers::live::LiveRecords;
use super::readers::pages::PageCache;
use super::readers::past::PastCache;
use super::refusal::unavailable;
use super::restart::{RecoveryFailure, RestartableAgent, recover};
use super::run_ends::{ClaimingRun, EntryLease, ExpectedRunEnd, RunEndListener};
use super::secret::secret;
use super::titles;
use crate::consent::InterruptKey;
use crate::protocol::RunId;
use crate::quoted::quoted;
use crate::random;
use crate::server::limits::readers::ReaderSlots;
use crate::server::limits::server_limits::Limits;
use crate::server::response::rejection::Rejection;
use crate::thread::{LogError, LogHead, ThreadKey, ThreadLog};

/// The number of leases for which a lost run's readers wait while the store takes no records. A run that is lost for a shorter
/// time ends, or goes on, for all of them.
const STUCK_LEASES: u32 = 2;

/// A server's threads.
pub(in crate::server) struct ServerThreads {
    pub(super) log: Arc<dyn ThreadLog>,
    pub(super) options: ThreadOptions,
    /// The newest records from this server's runs.
    pub(super) live: Arc<LiveRecords>,
    /// The clients that read threads, and what they hold.
    pub(super) readers: Arc<ReaderSlots>,
    pub(super) pages: Arc<PageCache>,
    pub(super) pasts: PastCache,
    pub(super) queues: ThreadQueues,
    /// The start of the beat in which all runs append.
    pub(super) begun: Instant,
    pub(in crate::server) local_runs: Arc<LocalRuns>,
    /// Threads whose readers this server is reporting to the owner.
    found_readers: Mutex<HashSet<ThreadKey>>,
    interrupt_key: OnceCell<InterruptKey>,
    maintenance: OnceLock<AbortHandle>,
    /// The agents, by their paths.
    endpoints: Mutex<HashMap<String, Weak<dyn RestartableAgent>>>,
    closing: watch::Sender<bool>,
    /// Threads whose lost run cannot be ended or restarted because the store takes no records, and since when.
    stuck: Mutex<HashMap<ThreadKey, Instant>>,
    run_ends: Arc<dyn RunEndListener>,
    /// Limits the titles that are being written.
    pub(super) title_turns: Arc<Semaphore>,
}

impl ServerThreads {
    pub(in crate::server) fn new(
        log: Arc<dyn ThreadLog>,
        options: ThreadOptions,
        limits: &Limits,
        run_ends: Arc<dyn RunEndListener>,
    ) -> Arc<Self> {
        let readers = ReaderSlots::new(limits);
        Arc::new(Self {
            log,
            options,
            live: Arc::default(),
            pages: Arc::new(PageCache::new(Arc::clone(readers.copies()))),
            readers,
            pasts: PastCache::default(),
            queues: ThreadQueues::default(),
            begun: Instant::now(),
            local_runs: Arc::default(),
            found_readers: Mutex::default(),
            interrupt_key: OnceCell::new(),
            maintenance: OnceLock::new(),
            endpoints: Mutex::default(),
            closing: watch::Sender::new(false),
            stuck: Mutex::default(),
            run_ends,
            title_turns: Arc::new(Semaphore::new(titles::AT_ONCE)),
        })
    }

    /// Starts maintenance: lost runs and old threads. Needs an executor, so the server or the first request calls this method.
    pub(in crate::server) fn maintain(self: &Arc<Self>) {
        self.maintenance
            .get_or_init(|| tokio::spawn(maintenance::maintain(Arc::downgrade(self))).abort_handle());
    }

    /// Stores the listener's entry for a run's end.
    pub(super) async fn expect_end(
        &self,
        run: ClaimingRun<'_>,
        target: Option<String>,
    ) -> Result<Option<Box<dyn ExpectedRunEnd>>, LogError> {
        // Longer than a healthy server needs for a claim.
        let lease = self.entry_lease(self.options.lease.saturating_mul(2));
        self.run_ends.expect(&*self.log, run, target, lease).await
    }

    /// Renews the entry, now that the run has begun. Returns the entry's thread.
    pub(super) async fn hold_end(&self, expected: Option<Box<dyn ExpectedRunEnd>>) -> Option<ThreadKey> {
        let expected = expected?;
        let entry = expected.entry();
        if let Err(error) = expected.hold(&*self.log, self.entry_lease(self.options.lease)).await {
            tracing::warn!(error = %quoted(&error), "the webhook of a run may be lost: the thread log is unavailable");
        }
        Some(entry)
    }

    /// Hands an entry to the listener, which handles the run's end.
    pub(super) fn send_end(&self, entry: ThreadKey, is_ended_here: bool) {
        let lease = self.entry_lease(self.options.lease);
        Arc::clone(&self.run_ends).end(&self.log, entry, lease, is_ended_here);
    }

    fn entry_lease(&self, time: Duration) -> EntryLease {
        EntryLease { epoch: new_epoch(), time }
    }

    /// Makes an agent known, so that its lost runs can be run again.
    pub(super) fn serve(&self, path: &str, agent: Weak<dyn RestartableAgent>) {
        let mut endpoints = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        endpoints.insert(path.to_owned(), agent);
    }

    /// Returns the agent at a path; `None` within if it is served no more, because the server is being dropped.
    pub(super) fn endpoint(&self, path: &str) -> Option<Option<Arc<dyn RestartableAgent>>> {
        self.endpoints.lock().unwrap_or_else(PoisonError::into_inner).get(path).map(Weak::upgrade)
    }

    /// Announces the shutdown: the server takes over no more runs.
    pub(in crate::server) fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(super) fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Resolves when the server begins to shut down.
    pub(super) async fn closed(&self) {
        // The sender is not dropped before `self`.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Sets the lost runs that cannot be ended or restarted now.
    pub(super) fn set_stuck(&self, keys: &HashSet<ThreadKey>) {
        let mut stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        stuck.retain(|key, _| keys.contains(key));
        for key in keys {
            stuck.entry(key.clone()).or_insert_with(Instant::now);
        }
    }

    /// True if the thread's run is lost, and the readers have waited long enough for a store that takes no records.
    fn is_stuck(&self, key: &ThreadKey) -> bool {
        let stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        stuck.get(key).is_some_and(|since| since.elapsed() >= self.options.lease * STUCK_LEASES)
    }

    /// Resolves when the thread's run is stuck.
    pub(super) async fn until_stuck(&self, key: &ThreadKey) {
        while !self.is_stuck(key) || self.has_gone_on(key).await {
            sleep(self.options.lease / 3).await;
        }
    }

    /// True if the thread's lost run has ended or gone on since the last look, here or on another server: readers now read a
    /// healthy run.
    async fn has_gone_on(&self, key: &ThreadKey) -> bool {
        let is_lost = |head: LogHead| head.lease.is_some_and(|left| left.is_zero());
        self.local_runs.has_thread(key) || !self.log.head(key).await.map_or(true, is_lost)
    }

    /// True if another server may restart the thread's agent.
    pub(super) fn restarts(&self, key: &ThreadKey) -> bool {
        let endpoint = self.endpoint(key.agent()).flatten();
        endpoint.is_some_and(|endpoint| endpoint.agent().is_some_and(|agent| agent.restarts()))
    }

    /// True if the log takes writes. A read-only store serves no run.
    pub(in crate::server) async fn takes_writes(&self) -> bool {
        match self.log.probe_write().await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(error = %quoted(&error), "not ready: the thread log takes no writes");
                false
            }
        }
    }

    /// Returns the key that all servers on the store share.
    pub(in crate::server) async fn interrupt_key(&self) -> Result<InterruptKey, LogError> {
        let made = self.interrupt_key.get_or_try_init(|| async {
            let mut drawn = [0; 32];
            random::fill(&mut drawn).ok_or_else(|| LogError::new("the system has no random numbers"))?;
            let mut backoff = self.backoff();
            loop {
                if let Some(secret) = secret(&*self.log, &drawn, new_epoch()).await? {
                    return InterruptKey::new(secret).map_err(LogError::new);
                }
                if !backoff.wait().await {
                    return Err(no_clear_result());
                }
            }
        });
        made.await.cloned()
    }

    /// Returns a thread's head and note. If the run's server is lost, the run first ends, or goes on here. A run for which this
    /// server has no slot stays open: the thread can be read.
    pub(super) async fn head(self: &Arc<Self>, key: &ThreadKey) -> Result<(LogHead, ThreadNote), Rejection> {
        let mut backoff = self.backoff();
        loop {
            let head = self.log.head(key).await?;
            let note = ThreadNote::read(&head.note)?;
            let is_lost = head.lease.is_some_and(|left| left.is_zero());
            if note.open().is_none_or(|open| !is_lost || self.local_runs.has_run(key, &open.id)) {
                return Ok((head, note));
            }
            let is_recovered = match recover(self, key).await {
                Err(RecoveryFailure::Busy) => return Ok((head, note)),
                recovered => recovered.map_err(|error| unavailable(&error))?,
            };
            if !is_recovered && !backoff.wait().await {
                return Err(no_clear_result().into());
            }
        }
    }

    /// Requests a run's end, on any server. Returns false if the run does not go on.
    pub(super) async fn stop(
        &self,
        key: &ThreadKey,
        wanted: impl Fn(&RunId) -> bool + Send + Sync,
    ) -> Result<bool, Rejection> {
        self.tell_owner(key, OwnerMessage::Stop(&wanted)).await
    }

    /// Requests a run's end if no client reads the run, on any server.
    pub(super) async fn stop_unread(&self, key: &ThreadKey, run: &RunId) -> Result<bool, Rejection> {
        self.tell_owner(key, OwnerMessage::AskForReaders(run)).await
    }

    /// Reports that a client on this server reads another server's run, whose owner asked for readers.
    pub(super) fn report_reader(self: &Arc<Self>, key: ThreadKey, run: RunId, asked: u64) {
        // One answer is enough for all readers here.
        if !self.found_readers.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone()) {
            return;
        }
        let threads = Arc::clone(self);
        tokio::spawn(async move {
            if threads.tell_owner(&key, OwnerMessage::ReaderFound(&run, asked)).await.is_err() {
                tracing::warn!(thread = %quoted(key.thread()), "a run that a client reads may be replaced: the thread log is unavailable");
            }
            threads.found_readers.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
        });
    }

    async fn tell_owner(&self, key: &ThreadKey, message: OwnerMessage<'_>) -> Result<bool, Rejection> {
        let mut backoff = self.backoff();
        loop {
            if let Some(goes_on) = tell_owner(&*self.log, key, self.options.lease, message).await? {
                return Ok(goes_on);
            }
            if !backoff.wait().await {
                return Err(no_clear_result().into());
            }
        }
    }

    /// Returns the pauses between store attempts.
    pub(super) fn backoff(&self) -> StoreBackoff {
        StoreBackoff::within(self.options.lease, self.begun)
    }

    /// Folds a thread up to a head; `None` if the thread was trimmed or deleted meanwhile, and has a new head.
    pub(super) async fn folded(
        &self,
        key: &ThreadKey,
        head: LogHead,
        note: ThreadNote,
    ) -> Result<Option<FoldedThread>, Rejection> {
        let end = head.at.seq;
        match FoldedThread::load(&self.log, key, head, note).await {
            Err(FoldError::Trimmed { .. }) => Ok(None),
            // A thread that has begun anew is shorter.
            Ok(thread) if thread.seq != end => Ok(None),
            thread => Ok(Some(thread?)),
        }
    }
}

impl Drop for ServerThreads {
    fn drop(&mut self) {
        if let Some(maintenance) = self.maintenance.get() {
            maintenance.abort();
        }
    }
}

impl fmt::Debug for ServerThreads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads")
            .field("log", &self.log)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

pub(super) fn no_clear_result() -> LogError {
    LogError::new("it gave no clear answer in the time of a lease")
}
