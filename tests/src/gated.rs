//! A store of threads behind a gate, which delays requests, loses them, and loses their answers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPage, LogPosition, LogReadError, ThreadEntry, ThreadKey,
    ThreadLog,
};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;

/// A request to the store.
#[derive(Clone, Copy, Debug)]
pub enum Op<'a> {
    Append(&'a ThreadKey, &'a LogAppend),
    Renew(&'a ThreadKey),
    Trim(&'a ThreadKey),
    Delete(&'a ThreadKey),
    Read,
    Head,
    Changed,
    Expired(usize),
    List,
    Entry,
    Idle,
    Probe,
}

/// The way of a request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It arrives.
    Through,
    /// Its sender hears nothing, and it arrives after a time. For appends.
    Late(Duration),
}

/// A place that each request and each answer passes.
pub trait Gate: fmt::Debug + Send + Sync + 'static {
    /// Lets a request through, or says why the store was not reached.
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>>;

    /// Lets an answer through, or loses it.
    fn leave<'a>(&'a self, _op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async { Ok(()) }.boxed()
    }

    /// Called just before the store handles a request.
    fn before(&self) {}

    /// Called just after the store has appended.
    fn appended(&self, _key: &ThreadKey, _append: &LogAppend) {}

    /// Called for an append of which the store cannot say whether it took place.
    fn unknown(&self) {}

    /// Called just after the store has extended a lease.
    fn renewed(&self, _key: &ThreadKey) {}

    /// Called just after the store has deleted.
    fn deleted(&self, _key: &ThreadKey) {}

    /// Returns the size of a page that is read.
    fn page(&self, bytes: usize) -> usize {
        bytes
    }
}

/// A gate that lets everything through.
#[derive(Debug)]
pub struct OpenGate;

impl Gate for OpenGate {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async { Ok(Way::Through) }.boxed()
    }
}

/// A store behind a gate.
#[derive(Debug)]
pub struct Gated<G> {
    log: Arc<dyn ThreadLog>,
    gate: Arc<G>,
}

impl<G> Clone for Gated<G> {
    fn clone(&self) -> Self {
        Self { log: Arc::clone(&self.log), gate: Arc::clone(&self.gate) }
    }
}

impl Gated<OpenGate> {
    /// Makes a store of any engine one that servers share.
    pub fn open(log: Arc<dyn ThreadLog>) -> Self {
        Self::new(log, Arc::new(OpenGate))
    }
}

impl<G: Gate> Gated<G> {
    /// Puts a gate before a store.
    pub fn new(log: Arc<dyn ThreadLog>, gate: Arc<G>) -> Self {
        Self { log, gate }
    }

    async fn append_now(&self, key: &ThreadKey, append: LogAppend) -> Result<LogPosition, AppendError> {
        self.gate.before();
        let noted = append.clone();
        let appended = self.log.append(key, append).await;
        match appended {
            Ok(_) => self.gate.appended(key, &noted),
            Err(AppendError::Unknown(_)) => self.gate.unknown(),
            Err(_) => {}
        }
        appended
    }

    /// Makes a request of which nothing is unknown if its answer is lost. The engine in memory acts when it is called.
    async fn pass<'r, T, E: From<LogError>>(
        &self,
        op: Op<'_>,
        request: impl FnOnce() -> BoxFuture<'r, Result<T, E>> + Send,
    ) -> Result<T, E> {
        self.gate.enter(op).await?;
        self.gate.before();
        let answer = request().await;
        self.gate.leave(op).await?;
        answer
    }
}

impl<G: Gate> ThreadLog for Gated<G> {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        async move {
            let sent = append.clone();
            let op = Op::Append(key, &sent);
            if let Way::Late(time) = self.gate.enter(op).await? {
                let (late, key) = (self.clone(), key.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(time).await;
                    // The append may be out of date.
                    drop(late.append_now(&key, append).await);
                });
                return Err(AppendError::Unknown(LogError::new("the answer was lost")));
            }
            let appended = self.append_now(key, append).await;
            self.gate.leave(op).await.map_err(AppendError::Unknown)?;
            appended
        }
        .boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>> {
        let bytes = self.gate.page(bytes);
        self.pass(Op::Read, move || self.log.read(key, after, bytes)).boxed()
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>> {
        self.pass(Op::Head, move || self.log.head(key)).boxed()
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        async move {
            // An error is a notice that comes early.
            if self.gate.enter(Op::Changed).await.is_ok() {
                self.log.changed(key, after).await;
            }
            drop(self.gate.leave(Op::Changed).await);
        }
        .boxed()
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        let renew = move || {
            let renewal = self.log.renew(key, epoch, time);
            let renewal = async move {
                let renewed = renewal.await;
                if let Ok(true) = renewed {
                    self.gate.renewed(key);
                }
                renewed
            };
            renewal.boxed()
        };
        self.pass(Op::Renew(key), renew).boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.pass(Op::Expired(most), move || self.log.expired(most)).boxed()
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        self.pass(Op::Trim(key), move || self.log.trim(key, upto, snapshot)).boxed()
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>> {
        self.pass(Op::List, move || self.log.list(owner, agent, after, most)).boxed()
    }

    fn entry<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadEntry>, LogError>> {
        self.pass(Op::Entry, move || self.log.entry(key)).boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        let delete = async move {
            let deleted = self.log.delete(key, at).await;
            if let Ok(true) = deleted {
                self.gate.deleted(key);
            }
            deleted
        };
        self.pass(Op::Delete(key), || delete.boxed()).boxed()
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.pass(Op::Idle, move || self.log.idle(time, most)).boxed()
    }

    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        self.pass(Op::Probe, move || self.log.probe_write()).boxed()
    }
}
