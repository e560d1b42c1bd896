//! The one primitive of threads: a log per thread, and a conditional append.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;

use super::append::{AppendError, LogAppend, LogPosition};
use super::head::LogHead;
use super::key::ThreadKey;
use super::listed::ThreadEntry;
use super::log_error::LogError;
use super::page::{LogPage, LogReadError};

/// A store with one log per thread: the trait for engines.
///
/// Everything that threads need follows from [`append`](Self::append), which succeeds only at the log end that the caller knows.
/// Records and notes are opaque bytes. A server has one engine (`Server::threads`); implement this trait for a store that this
/// crate does not support.
///
/// A method that a later version adds has a default, so existing engines still compile.
///
/// Sequence numbers in a thread are consecutive. A thread without records does not exist: the head is [`LogHead::default`].
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::thread::{LogAppend, AppendError, Memory, LogPosition, ThreadKey, ThreadLog};
///
/// # futures::executor::block_on(async {
/// let (log, key) = (Memory::new(), ThreadKey::new("", "/", "trip-7"));
/// let first = LogAppend {
///     at: LogPosition::default(),
///     epoch: 1,
///     records: vec!["claimed".into()],
///     note: None,
///     lease: None,
/// };
/// let at = log.append(&key, first.clone()).await?;
/// assert_eq!(at, LogPosition { epoch: 1, seq: 1 });
/// // A second claim at the same place loses.
/// assert!(matches!(log.append(&key, first).await, Err(AppendError::Conflict { .. })));
/// assert_eq!(log.read(&key, 0, 1_000).await?.records, [(1, "claimed".into())]);
///
/// let owned = LogAppend {
///     at,
///     epoch: 1,
///     records: vec!["event".into()],
///     note: Some("one event".into()),
///     lease: Some(Duration::from_secs(15)),
/// };
/// let at = log.append(&key, owned).await?;
/// log.changed(&key, 1).await; // at once: the log has more than one record
/// assert_eq!((log.head(&key).await?.at, log.renew(&key, 1, Duration::ZERO).await?), (at, true));
/// assert_eq!(log.expired(10).await?, [key.clone()], "its owner may be lost");
/// log.trim(&key, at, "both".into()).await?;
/// assert_eq!(log.read(&key, 0, 1_000).await?.records, [(2, "both".into())]);
/// assert_eq!(log.list("", "/", None, 10).await?[0].thread, "trip-7");
/// assert_eq!(log.entry(&key).await?.unwrap().note, "one event");
/// assert!(log.idle(Duration::ZERO, 10).await?.is_empty(), "it has an owner");
/// assert!(log.delete(&key, None).await?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a store of threads",
    label = "not a `ThreadLog`",
    note = "`agui_runtime::thread` has engines: `Memory`, and by feature `Sqlite`, `Postgres` and `Redis`"
)]
pub trait ThreadLog: fmt::Debug + Send + Sync + 'static {
    /// Appends all records or none if the log ends at `append.at`, and returns the new end. Without records, the append changes
    /// epoch, note and lease under the same condition if the thread exists; otherwise nothing happens.
    ///
    /// The records are durable on return: a process or engine crash does not lose them.
    ///
    /// # Errors
    /// [`AppendError`].
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>>;

    /// Reads the records after a sequence number in order, up to `bytes` bytes together, but at least one if there is one. Never
    /// waits: at or beyond the log's end the page is empty.
    ///
    /// After 0, a trimmed log is read from the snapshot on. The snapshot stands for the record with the same sequence number, so
    /// no read after another record returns the snapshot.
    ///
    /// # Errors
    /// [`LogReadError::Trimmed`] if `after` is not 0 and lies before the snapshot: records after `after` were trimmed.
    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>>;

    /// Returns the log's head.
    ///
    /// # Errors
    /// [`LogError`].
    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>>;

    /// Waits until the log may differ from the records up to `after`: more records, or fewer after a deletion. May return too
    /// early, but not for ever too late: an engine that can miss a notice polls too.
    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()>;

    /// Extends an epoch's lease to `time` from now, even if the lease is over. Returns false if the log has another epoch or no
    /// owner.
    ///
    /// # Errors
    /// [`LogError`].
    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>>;

    /// Returns at most `most` threads whose lease is over, in lease end order.
    ///
    /// # Errors
    /// [`LogError`].
    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>>;

    /// Replaces the records up to `upto` with a snapshot, which gets the sequence number `upto.seq`. Does nothing if the log has
    /// another epoch than `upto.epoch`, if the log ends before `upto.seq`, or if `upto.seq` is at or before the first record: one
    /// record is not worth a snapshot, and earlier records are trimmed already.
    ///
    /// # Errors
    /// [`LogError`].
    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>>;

    /// Lists an owner's threads with an agent, the last changed first: at most `most` after the entry `after`.
    ///
    /// # Errors
    /// [`LogError`].
    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>>;

    /// Returns a thread's entry in the [`list`](Self::list); `None` if the thread does not exist. The default reads the list.
    ///
    /// # Errors
    /// [`LogError`]; by default also if the thread has a head, but is missing in the list again and again.
    fn entry<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadEntry>, LogError>> {
        const PAGE: usize = 100;
        /// A thread that changes meanwhile moves to the list's beginning, and the next round finds the thread there.
        const ROUNDS: usize = 8;
        Box::pin(async move {
            for _ in 0..ROUNDS {
                let mut after = None;
                loop {
                    let page = self.list(key.owner(), key.agent(), after.as_ref(), PAGE).await?;
                    if let Some(found) = page.iter().find(|entry| entry.thread == key.thread()) {
                        return Ok(Some(found.clone()));
                    }
                    let last = page.into_iter().next_back();
                    // An engine that ignores `after` has no end.
                    if last.is_none() || last == after {
                        break;
                    }
                    after = last;
                }
                if self.head(key).await?.at.seq == 0 {
                    return Ok(None);
                }
            }
            Err(LogError::new("a thread has a head, but is missing in the list"))
        })
    }

    /// Deletes a thread with all records; with `at`, only if the log ends there. Returns false if nothing was deleted.
    ///
    /// # Errors
    /// [`LogError`].
    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>>;

    /// Checks that the log takes appends, with a write that leaves nothing: a server probes before a readiness check succeeds. The
    /// default only reads, for engines that can write whenever they can read.
    ///
    /// # Errors
    /// [`LogError`]: the log cannot be written, for example because the disk is full or the database became a replica.
    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(async move { self.expired(1).await.map(drop) })
    }

    /// Returns at most `most` threads without an owner whose last append is at least `time` ago, the oldest first.
    ///
    /// # Errors
    /// [`LogError`].
    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>>;
}
