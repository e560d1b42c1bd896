//! The one primitive of threads: a log per thread, and a conditional append to it.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;

use super::append::{Append, AppendError, Position};
use super::head::Head;
use super::key::ThreadKey;
use super::listed::Listed;
use super::log_error::LogError;
use super::page::{Page, ReadError};

/// A store of logs, one for each thread: the trait of engines.
///
/// Everything that threads need follows from one operation, [`append`](Self::append), which happens only at the end of
/// the log that its caller knows. Records and notes are opaque bytes here. A server has one engine
/// (`Server::threads`); write an engine of your own for a store that this crate does not have.
///
/// Sequence numbers of a thread are consecutive. A thread that has no record does not exist: its head is
/// [`Head::default`].
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::thread::{Append, AppendError, Memory, Position, ThreadKey, ThreadLog};
///
/// # futures::executor::block_on(async {
/// let (log, key) = (Memory::new(), ThreadKey::new("", "/", "trip-7"));
/// let first = Append {
///     at: Position::default(),
///     epoch: 1,
///     records: vec!["claimed".into()],
///     note: None,
///     lease: None,
/// };
/// let at = log.append(&key, first.clone()).await?;
/// assert_eq!(at, Position { epoch: 1, seq: 1 });
/// // A second claim at the same place loses.
/// assert!(matches!(log.append(&key, first).await, Err(AppendError::Conflict { .. })));
/// assert_eq!(log.read(&key, 0, 1_000).await?.records, [(1, "claimed".into())]);
///
/// let owned = Append {
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
    /// Appends records if the log ends at `append.at`, all or none, and returns the new end. With no records it changes
    /// the epoch, the note and the lease under the same condition, if the thread exists; if it does not, nothing
    /// happens.
    ///
    /// The records are durable when it returns: a crash of the process or of the engine does not lose them.
    ///
    /// # Errors
    /// [`AppendError`].
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: Append,
    ) -> BoxFuture<'a, Result<Position, AppendError>>;

    /// Reads the records after a sequence number, in order, up to `bytes` bytes together, but at least one if there
    /// is one. It does not wait: at or beyond the end of the log the page is empty.
    ///
    /// After 0 a trimmed log is read from its snapshot on. The snapshot stands for the record that had its number, so
    /// it is not read after any other.
    ///
    /// # Errors
    /// [`ReadError::Trimmed`] if `after` is not 0, and records after it were trimmed: it is before the snapshot.
    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<Page, ReadError>>;

    /// Returns the head of a log.
    ///
    /// # Errors
    /// [`LogError`].
    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Head, LogError>>;

    /// Waits until the log may have other records than those up to `after`: more, or, after a deletion, fewer. It may
    /// return too early, but not for ever too late: an engine that can miss a notice polls too.
    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()>;

    /// Extends the lease of an epoch to `time` from now, even if the lease is over. Returns false if the log has another
    /// epoch or no owner.
    ///
    /// # Errors
    /// [`LogError`].
    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>>;

    /// Returns threads whose lease is over, at most `most`. The lease that ended first comes first.
    ///
    /// # Errors
    /// [`LogError`].
    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>>;

    /// Replaces the records up to `upto` by a snapshot, which gets the sequence number `upto.seq`. Does nothing if the log
    /// has another epoch than `upto.epoch`, if it ends before that record, or if that is the first record or before it:
    /// one record is not worth a snapshot, and those before the first are trimmed already.
    ///
    /// # Errors
    /// [`LogError`].
    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: Position,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>>;

    /// Lists the threads of an owner with an agent, the last changed first: at most `most` after the entry `after`.
    ///
    /// # Errors
    /// [`LogError`].
    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a Listed>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Listed>, LogError>>;

    /// Deletes a thread with all its records; if `at` is given, only if the log ends there. Returns false if nothing was
    /// deleted.
    ///
    /// # Errors
    /// [`LogError`].
    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<Position>,
    ) -> BoxFuture<'a, Result<bool, LogError>>;

    /// Checks that the log takes appends, by a write that leaves nothing: a server asks before it says that it is ready. The
    /// default reads, for engines that can always write where they can read.
    ///
    /// # Errors
    /// [`LogError`]: the log cannot be written, for instance because its disk is full or its server became a replica.
    ///
    /// ```
    /// use agui_runtime::thread::{Memory, ThreadLog};
    ///
    /// assert!(futures::executor::block_on(Memory::new().probe_write()).is_ok());
    /// ```
    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(async move { self.expired(1).await.map(drop) })
    }

    /// Returns threads without an owner whose last append is at least `time` ago, the oldest first, at most `most`.
    ///
    /// # Errors
    /// [`LogError`].
    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>>;
}
