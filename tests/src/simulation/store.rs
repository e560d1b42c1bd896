//! The log that all servers share, its clock, and a copy of all records that were ever appended.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{LogAppend, Memory, ThreadKey, ThreadLog};
use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::Instant;

use super::LEASE;
use super::faults::{Counts, Faults};
use super::link::Health;
use super::policies::Policies;
use super::random::Random;

/// The time after which an append arrives at the latest.
pub(super) const LATEST: Duration = Duration::from_millis(200);

thread_local! {
    /// How far the clock of the server whose request is handled is ahead of that of the store.
    static SKEW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Sets the clock for the requests that follow.
pub(super) fn use_clock(ahead: Duration) {
    SKEW.set(ahead);
}

/// The store and its past.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) log: Arc<dyn ThreadLog>,
    /// True if time is virtual: then nothing is slow but what the schedule says.
    is_virtual: bool,
    pub(super) random: Random,
    pub(super) faults: Faults,
    pub(super) counts: Counts,
    /// True once the faults are over.
    pub(super) calm: watch::Sender<bool>,
    pub(super) policies: Policies,
    /// How far the clock has jumped, in milliseconds.
    jumped: Arc<AtomicU64>,
    pasts: Mutex<HashMap<ThreadKey, Vec<Past>>>,
    /// The failure of an append. A panic there would end a task of a server, which goes on.
    failed: Mutex<Option<String>>,
}

/// All records of a thread from its beginning to its deletion.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    pub(super) records: Vec<(u64, Bytes)>,
    pub(super) is_deleted: bool,
    /// True while a run goes on.
    is_open: bool,
    /// The server of the last run.
    owner: Option<Arc<Health>>,
    /// The time at which the lease was extended.
    leased: Option<Instant>,
}

impl Store {
    /// Makes a store, on an engine or in memory.
    pub(super) fn new(
        random: Random,
        faults: Faults,
        policies: Policies,
        engine: Option<Arc<dyn ThreadLog>>,
    ) -> Self {
        let began = Instant::now();
        let jumped = Arc::new(AtomicU64::new(0));
        let jumps = Arc::clone(&jumped);
        let memory = Memory::with_clock(move || {
            let jumped = Duration::from_millis(jumps.load(Ordering::Relaxed));
            Duration::from_secs(1_800_000_000) + began.elapsed() + jumped + SKEW.get()
        });
        let is_virtual = engine.is_none();
        Self {
            log: engine.unwrap_or_else(|| Arc::new(memory)),
            is_virtual,
            random,
            faults,
            counts: Counts::default(),
            calm: watch::Sender::new(false),
            policies,
            jumped,
            pasts: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Fails if an append has failed the schedule.
    pub(super) fn assert_no_failure(&self) {
        let failed = self.failed.lock().unwrap().take();
        assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    pub(super) fn is_calm(&self) -> bool {
        *self.calm.borrow()
    }

    /// Moves the clock of the store forwards.
    pub(super) fn jump(&self, time: Duration) {
        self.jumped.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
    }

    /// Records an append of a server.
    pub(super) fn note(&self, key: &ThreadKey, append: &LogAppend, from: &Arc<Health>) {
        if key.agent().is_empty() {
            return;
        }
        let mut pasts = self.pasts.lock().unwrap();
        let pasts = pasts.entry(key.clone()).or_default();
        if pasts.last().is_none_or(|past| past.is_deleted) {
            pasts.push(Past::default());
        }
        let past = pasts.last_mut().unwrap();
        // A change to a thread at rest has no records.
        let is_claim = append.epoch != append.at.epoch && !append.records.is_empty();
        let is_end = append.records.last().is_some_and(|last| is_run_end(last));
        if is_claim && past.is_open {
            let owner = past.owner.as_ref().unwrap();
            // A server that is well since then has extended the lease. A server that gave up after its last append
            // seemed to fail has not: the answer of that append was lost, or it arrived late.
            let leased = past.leased.unwrap();
            let well = match (self.faults.late, self.faults.lose) {
                (0, 0) => leased + LEASE / 4,
                (0, _) => leased,
                _ => leased - LATEST,
            };
            let is_slow = !self.is_virtual;
            let is_fault = is_slow || self.faults.clocks || owner.was_disturbed_since(well);
            if !is_fault {
                let failure = format!("a run was lost whose server was well\n{append:?}");
                self.failed.lock().unwrap().get_or_insert(failure);
            }
            self.counts.add(if is_end { "runs that were lost" } else { "runs that went on elsewhere" });
        } else if is_claim {
            self.counts.add("runs that were claimed");
        }
        if is_claim {
            past.owner = Some(Arc::clone(from));
        }
        past.is_open = (past.is_open || is_claim) && !is_end;
        // A request to stop extends the lease too, and comes from any server, also from one that gave the run up.
        let is_owner = past.owner.as_ref().is_some_and(|owner| Arc::ptr_eq(owner, from));
        let is_of_run = is_owner && !append.records.iter().all(is_message_to_owner);
        if append.lease.is_some() && is_of_run {
            past.leased = Some(Instant::now());
        }
        past.records.extend((append.at.seq + 1..).zip(append.records.iter().cloned()));
        self.counts.add_many("records", append.records.len() as u64);
    }

    /// Records that a lease was extended. Once it is over, another server may have decided to end the run.
    pub(super) fn note_renewal(&self, key: &ThreadKey) {
        let mut pasts = self.pasts.lock().unwrap();
        let Some(past) = pasts.get_mut(key).and_then(|pasts| pasts.last_mut()) else { return };
        if past.leased.is_some_and(|leased| leased.elapsed() < LEASE) {
            past.leased = Some(Instant::now());
        }
    }

    pub(super) fn note_deletion(&self, key: &ThreadKey) {
        if let Some(past) = self.pasts.lock().unwrap().get_mut(key).and_then(|pasts| pasts.last_mut()) {
            past.is_deleted = true;
        }
        self.counts.add("deleted threads");
    }

    /// Returns the records of all threads that ever had a name.
    pub(super) fn pasts(&self, key: &ThreadKey) -> Vec<Past> {
        let mut pasts = self.pasts.lock().unwrap().get(key).cloned().unwrap_or_default();
        // On an engine, two servers may hear of their appends in another order.
        pasts.iter_mut().for_each(|past| past.records.sort_by_key(|(seq, _)| *seq));
        pasts
    }
}

/// Returns true for a record that asks the owner of a run to stop, or to read the note again.
pub(super) fn is_message_to_owner(record: &Bytes) -> bool {
    let is_change = record.ends_with(br#","noteChanged":true}"#);
    is_change || record.starts_with(br#"{"control":"cancel_asked""#)
}

fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_ERROR""#) || record.starts_with(br#"{"type":"RUN_FINISHED""#)
}
