//! The one primitive of threads: a log per thread, and a conditional append to it.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;

/// The most bytes of one record.
///
/// ```
/// assert_eq!(agui_runtime::thread::LARGEST_RECORD, 32 << 20);
/// ```
pub const LARGEST_RECORD: usize = 32 * 1024 * 1024;

/// The name of a thread in a log.
///
/// ```
/// use agui_runtime::thread::ThreadKey;
///
/// let key = ThreadKey::new("customer-17", "/desk", "trip-7");
/// assert_eq!((key.owner(), key.agent(), key.thread()), ("customer-17", "/desk", "trip-7"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadKey {
    owner: String,
    agent: String,
    thread: String,
}

impl ThreadKey {
    /// Returns the key of a thread of one agent, which belongs to the identity `owner`. A server uses the path of the
    /// agent, and `""` for the owner of requests without an identity.
    ///
    /// ```
    /// let key = agui_runtime::thread::ThreadKey::new("", "/", "trip-7");
    /// ```
    pub fn new(owner: impl Into<String>, agent: impl Into<String>, thread: impl Into<String>) -> Self {
        Self { owner: owner.into(), agent: agent.into(), thread: thread.into() }
    }

    /// Returns the identity that the thread belongs to.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/", "t").owner(), "ada");
    /// ```
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns the agent that the thread is a conversation with.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/desk", "t").agent(), "/desk");
    /// ```
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Returns the id of the thread.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/", "t").thread(), "t");
    /// ```
    #[must_use]
    pub fn thread(&self) -> &str {
        &self.thread
    }
}

/// The end of a log: the last record, and the epoch that wrote it.
///
/// ```
/// use agui_runtime::thread::Position;
///
/// assert_eq!(Position::default(), Position { epoch: 0, seq: 0 }); // a thread that does not exist
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of the claim that may append. Each claim has a higher one, also after the thread was deleted.
    pub epoch: u64,
    /// The sequence number of the last record. The first record of a thread has 1.
    pub seq: u64,
}

/// Records to append, and the condition.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::thread::{Append, Position};
///
/// let append = Append {
///     at: Position::default(),
///     epoch: 1,
///     records: vec!["first".into(), "second".into()],
///     note: Some("what a list of threads shows".into()),
///     lease: Some(Duration::from_secs(15)),
/// };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The end of the log at which the records belong.
    pub at: Position,
    /// The epoch of the log afterwards: that of `at`, or a higher one for a claim.
    pub epoch: u64,
    /// The records, in order. They get the sequence numbers after `at.seq`.
    pub records: Vec<Bytes>,
    /// Replaces the note of the thread; `None` keeps it.
    pub note: Option<Bytes>,
    /// The time for which the thread has an owner, from now on; `None` leaves it without one.
    pub lease: Option<Duration>,
}

impl Append {
    /// Refuses a record that is too large, and records that are together larger than an engine takes.
    pub(super) fn check_size(&self, together: usize) -> Result<(), AppendError> {
        let sizes = self.records.iter().map(Bytes::len);
        if let Some(bytes) = sizes.clone().find(|bytes| *bytes > LARGEST_RECORD) {
            return Err(AppendError::TooLarge { bytes, most: LARGEST_RECORD });
        }
        let bytes = sizes.sum();
        if bytes > together {
            return Err(AppendError::TooLarge { bytes, most: together });
        }
        Ok(())
    }
}

/// The facts that a log has of a thread besides its records.
///
/// ```
/// use agui_runtime::thread::Head;
///
/// let nothing = Head::default();
/// assert_eq!((nothing.at.seq, nothing.first, nothing.lease), (0, 1, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// The end of the log.
    pub at: Position,
    /// The sequence number of the first record that can be read: 1, or that of the snapshot after a
    /// [`trim`](ThreadLog::trim).
    pub first: u64,
    /// The note of the last append that had one.
    pub note: Bytes,
    /// The time that the lease of the owner lasts, zero once it is over; `None` if the thread has no owner.
    pub lease: Option<Duration>,
}

impl Default for Head {
    fn default() -> Self {
        Self { at: Position::default(), first: 1, note: Bytes::new(), lease: None }
    }
}

/// Records that were read.
///
/// ```
/// use agui_runtime::thread::{Page, Position};
///
/// let page = Page::new(vec![(1, "first".into())], Position { epoch: 1, seq: 7 });
/// assert!(page.last() < page.at.seq, "there is more to read");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The records with their consecutive sequence numbers.
    pub records: Vec<(u64, Bytes)>,
    /// The end of the log.
    pub at: Position,
}

impl Page {
    /// Creates a page, for engines.
    ///
    /// ```
    /// use agui_runtime::thread::{Page, Position};
    ///
    /// assert_eq!(Page::new(vec![], Position::default()).last(), 0);
    /// ```
    #[must_use]
    pub fn new(records: Vec<(u64, Bytes)>, at: Position) -> Self {
        Self { records, at }
    }

    /// Returns the sequence number of the last record of the page; 0 if it has none.
    ///
    /// ```
    /// use agui_runtime::thread::{Page, Position};
    ///
    /// assert_eq!(Page::new(vec![(7, "x".into())], Position { epoch: 1, seq: 9 }).last(), 7);
    /// ```
    #[must_use]
    pub fn last(&self) -> u64 {
        self.records.last().map_or(0, |(seq, _)| *seq)
    }
}

/// A thread in a list.
///
/// ```
/// use std::time::SystemTime;
///
/// use agui_runtime::thread::Listed;
///
/// let listed = Listed::new("trip-7", SystemTime::UNIX_EPOCH, "note".into());
/// assert_eq!(listed.thread, "trip-7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The id of the thread.
    pub thread: String,
    /// The time of its last append, to the millisecond.
    pub changed: std::time::SystemTime,
    /// Its note.
    pub note: Bytes,
}

impl Listed {
    /// Creates the entry of a thread, for engines.
    ///
    /// ```
    /// use agui_runtime::thread::Listed;
    ///
    /// let listed = Listed::new("t", std::time::SystemTime::now(), "".into());
    /// ```
    #[must_use]
    pub fn new(thread: impl Into<String>, changed: std::time::SystemTime, note: Bytes) -> Self {
        Self { thread: thread.into(), changed, note }
    }
}

/// An append that did not happen, or may not have.
///
/// ```
/// use agui_runtime::thread::{AppendError, Position};
///
/// let conflict = AppendError::Conflict { at: Position { epoch: 3, seq: 41 } };
/// assert_eq!(conflict.to_string(), "the log ends at record 41 of epoch 3");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The log ends elsewhere. Nothing was appended.
    #[error("the log ends at record {} of epoch {}", at.seq, at.epoch)]
    Conflict {
        /// The end of the log.
        at: Position,
    },
    /// A record is larger than [`LARGEST_RECORD`], or the records are together larger than the engine takes. Nothing was
    /// appended.
    #[error("a record of {bytes} bytes is larger than {most}")]
    TooLarge {
        /// The size of the record, or of all.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The acknowledgement was lost: the records may be in the log, all or none. Read the log to know.
    #[error("it is unknown whether the records were appended: {0}")]
    Unknown(#[source] LogError),
    /// The log cannot be written. Nothing was appended.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}

/// A log that cannot be used now: its server is gone, its disk is full, its file is not one of ours.
///
/// ```
/// use agui_runtime::thread::LogError;
///
/// assert_eq!(LogError::new("disk full").to_string(), "the thread log is unavailable: disk full");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("the thread log is unavailable: {reason}")]
pub struct LogError {
    reason: String,
}

impl LogError {
    /// Creates an error from its reason, for engines. The reason is for logs, not for clients.
    ///
    /// ```
    /// let error = agui_runtime::thread::LogError::new("connection refused");
    /// ```
    #[must_use]
    pub fn new(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string() }
    }

    /// Returns the reason alone.
    #[cfg(feature = "sqlite")]
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}

/// A read that returns nothing.
///
/// ```
/// use agui_runtime::thread::ReadError;
///
/// assert_eq!(ReadError::Trimmed { first: 9 }.to_string(), "the records before 9 were trimmed");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The records after the given one were trimmed in part: a snapshot stands for them.
    #[error("the records before {first} were trimmed")]
    Trimmed {
        /// The first record that can be read, which is the snapshot.
        first: u64,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}

/// A store of logs, one for each thread: the contract of engines.
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

    /// Reads the records after a sequence number, in order, as many as have `bytes` bytes together, at least one if there
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
    /// return too early, but not for ever too late: an engine that can miss a notice polls besides.
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

    /// Returns threads whose lease is over, at most so many, those that are over longest first.
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

    /// Lists the threads of an owner with an agent, the last changed first; at most so many after the given entry.
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

    /// Returns threads without an owner whose last append is at least so long ago, at most so many, the oldest first.
    ///
    /// # Errors
    /// [`LogError`].
    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>>;
}
