//! The way of one server to the store.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{LogAppend, LogError, ThreadKey};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use super::store::{LATEST, Store, use_clock};
use crate::stored::{Gate, Host, Op, Way};

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Process {
    Runs,
    Frozen,
    Dead,
}

/// A process, and its last fault.
#[derive(Debug)]
pub(super) struct Health {
    process: Mutex<Process>,
    /// Wakes in order, which `watch` does not: a seed has one schedule.
    changed: Notify,
    disturbed: Mutex<Option<Instant>>,
    /// The end of the time in which the store cannot be reached.
    away: Mutex<Option<Instant>>,
}

impl Health {
    pub(super) fn new() -> Self {
        Self {
            process: Mutex::new(Process::Runs),
            changed: Notify::new(),
            disturbed: Mutex::default(),
            away: Mutex::default(),
        }
    }

    pub(super) fn is(&self, process: Process) -> bool {
        *self.process.lock().unwrap() == process
    }

    /// Stops, ends or continues the process.
    pub(super) fn set(&self, process: Process) {
        self.disturb();
        *self.process.lock().unwrap() = process;
        self.changed.notify_waiters();
    }

    fn disturb(&self) {
        *self.disturbed.lock().unwrap() = Some(Instant::now());
    }

    pub(super) fn cut_off(&self, time: Duration) {
        self.disturb();
        *self.away.lock().unwrap() = Some(Instant::now() + time);
    }

    fn is_cut_off(&self) -> bool {
        self.away.lock().unwrap().is_some_and(|end| Instant::now() < end)
    }

    /// Returns true if the process stood still, ended or missed the store since a time.
    pub(super) fn was_disturbed_since(&self, time: Instant) -> bool {
        !self.is(Process::Runs) || self.disturbed.lock().unwrap().is_some_and(|last| last >= time)
    }

    /// Resolves while the process runs; a dead one never does.
    pub(super) async fn runs(&self) {
        self.until(Process::Runs).await;
    }

    pub(super) async fn until(&self, process: Process) {
        loop {
            let changed = self.changed.notified();
            if self.is(process) {
                return;
            }
            changed.await;
        }
    }
}

impl Host for Health {
    fn runs(&self) -> BoxFuture<'_, ()> {
        self.runs().boxed()
    }
}

/// The way of one server.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) store: Arc<Store>,
    pub(super) health: Arc<Health>,
    /// How far the server's clock is ahead.
    pub(super) ahead: Duration,
}

impl Link {
    fn fault(&self, what: &'static str) -> LogError {
        self.store.counts.add(what);
        self.health.disturb();
        LogError::new("the store is away")
    }

    fn is(&self, rare: u64) -> bool {
        !self.store.is_calm() && self.store.random.one_in(rare)
    }

    /// Passes the time of a message, which a process that stands still neither sends nor receives.
    async fn pass(&self) {
        if !self.store.is_calm() {
            sleep(Duration::from_millis(self.store.random.below(20))).await;
        }
        self.health.runs().await;
    }
}

impl Gate for Link {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            let faults = &self.store.faults;
            if matches!(op, Op::Changed) {
                self.health.runs().await;
                let is_early = self.is(faults.notices);
                return if is_early { Err(self.fault("early notices")) } else { Ok(Way::Through) };
            }
            self.pass().await;
            if self.health.is_cut_off() && !self.store.is_calm() {
                return Err(self.fault("requests while the store was away"));
            }
            if self.is(faults.fail) {
                return Err(self.fault("requests that did not arrive"));
            }
            if matches!(op, Op::Append(..)) && self.is(faults.late) {
                drop(self.fault("appends that arrived late"));
                return Ok(Way::Late(Duration::from_millis(
                    self.store.random.below(LATEST.as_millis() as u64),
                )));
            }
            Ok(Way::Through)
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            if matches!(op, Op::Changed) && self.is(self.store.faults.notices) {
                self.store.counts.add("late notices");
                sleep(Duration::from_millis(self.store.random.below(1_000))).await;
            }
            self.pass().await;
            if !matches!(op, Op::Changed) && self.is(self.store.faults.lose) {
                return Err(self.fault("lost answers"));
            }
            Ok(())
        }
        .boxed()
    }

    fn before(&self) {
        use_clock(self.ahead);
    }

    fn appended(&self, key: &ThreadKey, append: &LogAppend) {
        self.store.note(key, append, &self.health);
    }

    fn renewed(&self, key: &ThreadKey) {
        self.store.note_renewal(key);
    }

    fn deleted(&self, key: &ThreadKey) {
        self.store.note_deletion(key);
    }

    fn page(&self, bytes: usize) -> usize {
        // Small pages, so that many fall between appends.
        if self.store.is_calm() { bytes } else { bytes.min(300) }
    }
}
