//! The way of one server to the store, with a fault at one of its writes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{LogAppend, LogError, ThreadKey};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::nodes::LEASE;
use super::{Gate, Host, Op, Way};

/// A fault of the first server at one of its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ends before the write reaches the store.
    KilledBefore,
    /// It ends before it hears that the store has written.
    KilledAfter,
    /// It does not hear that the store has written.
    AnswerLost,
    /// The same, and the store writes later.
    Late,
    /// The store is away, and comes back.
    Away,
    /// It stands still for longer than it owns the thread, and then goes on with the write.
    Frozen,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 6] =
        [Self::KilledBefore, Self::KilledAfter, Self::AnswerLost, Self::Late, Self::Away, Self::Frozen];
}

/// All records that any server appended, by thread.
#[derive(Debug, Default)]
pub(super) struct Journal(Mutex<HashMap<ThreadKey, BTreeMap<u64, Bytes>>>);

impl Journal {
    /// Returns the records of a thread in order.
    pub(super) fn records(&self, key: &ThreadKey) -> Vec<(u64, Bytes)> {
        self.0.lock().unwrap()[key].clone().into_iter().collect()
    }
}

/// The way of one server to the store, with a fault at one write of one thread.
#[derive(Debug)]
pub(super) struct Point {
    key: ThreadKey,
    /// The number of the write, and its fault.
    fault: Option<(usize, Fault)>,
    pub(super) writes: AtomicUsize,
    /// True while the answer of the write is under way.
    is_due: AtomicBool,
    pub(super) is_dead: watch::Sender<bool>,
    away: Mutex<Option<Instant>>,
    journal: Arc<Journal>,
    /// True if the webhook of the thread is a part of it: its writes count too. The server does not look after others.
    has_webhook: bool,
}

impl Point {
    pub(super) fn new(key: &ThreadKey, fault: Option<(usize, Fault)>, journal: &Arc<Journal>) -> Arc<Self> {
        Arc::new(Self::of(key, fault, journal, false))
    }

    /// The same for a thread with a webhook.
    pub(super) fn with_webhook(
        key: &ThreadKey,
        fault: Option<(usize, Fault)>,
        journal: &Arc<Journal>,
    ) -> Arc<Self> {
        Arc::new(Self::of(key, fault, journal, true))
    }

    fn of(key: &ThreadKey, fault: Option<(usize, Fault)>, journal: &Arc<Journal>, has_webhook: bool) -> Self {
        Self {
            has_webhook,
            key: key.clone(),
            fault,
            writes: AtomicUsize::new(0),
            is_due: AtomicBool::new(false),
            is_dead: watch::Sender::new(false),
            away: Mutex::default(),
            journal: Arc::clone(journal),
        }
    }

    /// Returns true for appends and trims of the thread, and those of its webhook. Renewals depend on time.
    fn is_write(&self, op: Op<'_>) -> bool {
        match op {
            Op::Append(key, _) | Op::Trim(key) if *key == self.key => true,
            Op::Append(key, _) | Op::Delete(key) => self.has_webhook && is_webhook(key),
            _ => false,
        }
    }

    async fn die<T>(&self) -> T {
        self.is_dead.send_replace(true);
        pending().await
    }
}

/// Returns true for the thread of a webhook that waits.
pub(super) fn is_webhook(key: &ThreadKey) -> bool {
    key.agent().is_empty() && key.thread().starts_with("webhook ")
}

impl Host for Point {
    fn runs(&self) -> BoxFuture<'_, ()> {
        async move {
            if *self.is_dead.borrow() {
                pending::<()>().await;
            }
        }
        .boxed()
    }
}

impl Gate for Point {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            self.runs().await;
            if self.has_webhook && matches!(op, Op::Expired(_)) {
                return Err(LogError::new("this server looks after its own runs alone"));
            }
            if self.away.lock().unwrap().is_some_and(|end| Instant::now() < end) {
                return Err(LogError::new("the store is away"));
            }
            if !self.is_write(op) {
                return Ok(Way::Through);
            }
            let number = self.writes.fetch_add(1, Ordering::SeqCst);
            let Some((_, fault)) = self.fault.filter(|(at, _)| *at == number) else {
                return Ok(Way::Through);
            };
            match fault {
                Fault::KilledBefore => self.die().await,
                Fault::KilledAfter | Fault::AnswerLost => self.is_due.store(true, Ordering::SeqCst),
                Fault::Late if matches!(op, Op::Append(..)) => {
                    return Ok(Way::Late(Duration::from_millis(40)));
                }
                Fault::Late => {}
                Fault::Away => {
                    *self.away.lock().unwrap() = Some(Instant::now() + LEASE / 3);
                    return Err(LogError::new("the store is away"));
                }
                Fault::Frozen => sleep(LEASE * 5 / 2).await,
            }
            Ok(Way::Through)
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            if self.is_write(op) && self.is_due.swap(false, Ordering::SeqCst) {
                return match self.fault {
                    Some((_, Fault::KilledAfter)) => self.die().await,
                    _ => Err(LogError::new("the answer was lost")),
                };
            }
            self.runs().await;
            Ok(())
        }
        .boxed()
    }

    fn appended(&self, key: &ThreadKey, append: &LogAppend) {
        let mut threads = self.journal.0.lock().unwrap();
        let records = (append.at.seq + 1..).zip(append.records.iter().cloned());
        threads.entry(key.clone()).or_default().extend(records);
    }
}
