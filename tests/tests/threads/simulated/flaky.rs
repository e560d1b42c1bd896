//! The log as one server sees it: it fails, it is slow, and it stands still while the server is frozen.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{
    Append, AppendError, Head, Listed, LogError, Memory, Page, Position, ReadError, ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::sleep;

/// Random numbers of a seed (`splitmix64`).
#[derive(Clone, Debug)]
pub(crate) struct Random(Arc<Mutex<u64>>);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(seed)))
    }

    /// Returns a number below `end`.
    pub(crate) fn below(&self, end: u64) -> u64 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    pub(crate) fn one_in(&self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// The log of one server.
#[derive(Clone, Debug)]
pub(crate) struct Flaky {
    log: Memory,
    random: Random,
    /// True while the server is frozen.
    pub(crate) frozen: Arc<watch::Sender<bool>>,
    /// True once the faults are over.
    calm: watch::Receiver<bool>,
}

impl Flaky {
    pub(crate) fn new(log: Memory, random: Random, calm: watch::Receiver<bool>) -> Self {
        Self { log, random, frozen: Arc::new(watch::Sender::new(false)), calm }
    }

    fn fails(&self) -> bool {
        !*self.calm.borrow() && self.random.one_in(12)
    }

    /// Passes the time of a request to the store, which a frozen server never sends.
    async fn pass(&self) {
        if !*self.calm.borrow() {
            sleep(Duration::from_millis(self.random.below(30))).await;
        }
        let _ = self.frozen.subscribe().wait_for(|frozen| !*frozen).await;
    }

    fn away() -> LogError {
        LogError::new("the store is away")
    }
}

impl ThreadLog for Flaky {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: Append,
    ) -> BoxFuture<'a, Result<Position, AppendError>> {
        async move {
            self.pass().await;
            if self.fails() {
                return Err(Self::away().into());
            }
            let appended = self.log.append(key, append).await;
            self.pass().await;
            if self.fails() {
                return Err(AppendError::Unknown(Self::away()));
            }
            appended
        }
        .boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<Page, ReadError>> {
        async move {
            self.pass().await;
            // Small pages, so that many fall between appends.
            let bytes = if *self.calm.borrow() { bytes } else { bytes.min(300) };
            if self.fails() { Err(Self::away().into()) } else { self.log.read(key, after, bytes).await }
        }
        .boxed()
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Head, LogError>> {
        async move {
            self.pass().await;
            if self.fails() { Err(Self::away()) } else { self.log.head(key).await }
        }
        .boxed()
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        async move {
            if self.fails() {
                // Too early.
                return self.pass().await;
            }
            self.log.changed(key, after).await;
            self.pass().await;
        }
        .boxed()
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        async move {
            self.pass().await;
            if self.fails() { Err(Self::away()) } else { self.log.renew(key, epoch, time).await }
        }
        .boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        async move {
            self.pass().await;
            if self.fails() { Err(Self::away()) } else { self.log.expired(most).await }
        }
        .boxed()
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: Position,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        self.log.trim(key, upto, snapshot)
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a Listed>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Listed>, LogError>> {
        self.log.list(owner, agent, after, most)
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, LogError>> {
        self.log.delete(key)
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.log.idle(time, most)
    }
}
