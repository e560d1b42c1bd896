//! The SQLite engine: threads in a file on one machine.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod engine_lock;
mod failure;
mod opened_file;
mod readers;
mod schema;
mod statements;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agui_runtime_core::__leaf::ThreadWakes;
use agui_runtime_core::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPage, LogPosition, LogReadError, OpenError, ThreadEntry,
    ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use self::engine_lock::EngineLock;
use self::opened_file::OpenedFile;
use self::readers::SqliteReaders;
use self::statements::ChangedThread;
use self::writer::SqliteWriter;

/// Threads in a file, for servers on one machine.
///
/// The file is a SQLite database in WAL mode: two more files stand beside the database while it is open; a third, whose name ends
/// in `-lock`, stays. Several processes may open the file; each sees another process's change within a tenth of a second. A
/// process that is stopped in the middle of a write blocks other writers until the process goes on or ends. The file must not be
/// on a network share.
///
/// If no other engine has the file open, a new engine knows that all runs in the file are lost: they end at once with the code
/// `node_lost`, or [go on](macro@agui_runtime_core::agent#restart). While another process has the file open, and in a file system without
/// locks, a run counts as lost only when the lease, `ThreadOptions::lease`, is over.
///
/// One thread writes, and commits all waiting appends together with one disk sync. No executor is needed. Dropping the last clone
/// waits for unfinished appends.
///
/// ```
/// use agui_runtime::thread::{Sqlite, ThreadKey, ThreadLog};
///
/// # let folder = std::env::temp_dir().join(format!("agui-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # futures::executor::block_on(async {
/// let threads = Sqlite::open(folder.join("threads.db"))?;
/// assert_eq!(threads.head(&ThreadKey::new("", "/", "trip-7")).await?.at.seq, 0);
/// # drop(threads);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sqlite(Arc<SqliteShared>);

struct SqliteShared {
    path: PathBuf,
    writer: SqliteWriter,
    readers: SqliteReaders,
    wakes: Arc<ThreadWakes>,
    // Dropped last: until then there are writes of this engine.
    _lock: Option<EngineLock>,
}

impl Sqlite {
    /// Opens a [`Sqlite`] file, or creates the file. A file from an earlier version of agui-runtime is migrated.
    ///
    /// # Errors
    /// [`OpenError`]: the folder does not exist, the file cannot be written, or the file belongs to another program or to a newer
    /// version of agui-runtime.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref().to_owned();
        let wakes = Arc::new(ThreadWakes::default());
        // The first connection makes the file.
        let mut db = schema::open(&path)?;
        let lock = EngineLock::take(&path, &mut db)?;
        let writer = SqliteWriter::start(db, OpenedFile::new(&path), Arc::clone(&wakes))?;
        let readers = SqliteReaders::start(|| schema::open_to_read(&path))?;
        Ok(Self(Arc::new(SqliteShared { path, writer, readers, wakes, _lock: lock })))
    }

    async fn append_to(&self, key: &ThreadKey, append: LogAppend) -> Result<LogPosition, AppendError> {
        append.check_size(usize::MAX)?;
        let target = key.clone();
        let appended = self.0.writer.write(key, move |db| statements::append(db, &target, &append, now()));
        match appended.await {
            Ok(Ok(at)) => Ok(at),
            Ok(Err(at)) => Err(AppendError::Conflict { at }),
            Err(failure) if failure.is_unknown => Err(AppendError::Unknown(failure.error)),
            Err(failure) => Err(AppendError::Unavailable(failure.error)),
        }
    }

    async fn wait(&self, key: &ThreadKey, after: u64) {
        let woken = self.0.wakes.register(key);
        self.0.writer.watch();
        // If the log cannot be read, the caller's next read says so.
        if self.head(key).await.is_ok_and(|head| head.at.seq == after) {
            woken.await;
        }
    }
}

/// Milliseconds since the Unix epoch.
fn now() -> i64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl ThreadLog for Sqlite {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        self.append_to(key, append).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>> {
        let key = key.clone();
        let page = self.0.readers.read(move |db| statements::read(db, &key, after, bytes));
        async move { page.await?.map_err(|first| LogReadError::Trimmed { first }) }.boxed()
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>> {
        let key = key.clone();
        self.0.readers.read(move |db| statements::head(db, &key, now()))
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        self.wait(key, after).boxed()
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        let target = key.clone();
        let renewed = self
            .0
            .writer
            .write(key, move |db| ChangedThread::no(statements::renew(db, &target, epoch, time, now())));
        renewed.map(|renewed| Ok(renewed?)).boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.0.readers.read(move |db| statements::expired(db, now(), most))
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        let target = key.clone();
        let trimmed = self
            .0
            .writer
            .write(key, move |db| ChangedThread::no(statements::trim(db, &target, upto, &snapshot)));
        trimmed.map(|trimmed| Ok(trimmed?)).boxed()
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>> {
        let (owner, agent, after) = (owner.to_owned(), agent.to_owned(), after.cloned());
        self.0.readers.read(move |db| statements::list(db, &owner, &agent, after.as_ref(), most))
    }

    fn entry<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadEntry>, LogError>> {
        let key = key.clone();
        self.0.readers.read(move |db| statements::entry(db, &key))
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        let target = key.clone();
        let deleted = self.0.writer.write(key, move |db| statements::delete(db, &target, at));
        deleted.map(|deleted| Ok(deleted?)).boxed()
    }

    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        // No thread is written.
        let key = ThreadKey::new("", "", "");
        let written = self.0.writer.write(&key, |db| ChangedThread::no(statements::touch(db)));
        async move { Ok(written.await?) }.boxed()
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.0.readers.read(move |db| statements::idle(db, now().saturating_sub(millis(time)), most))
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("path", &self.0.path).finish_non_exhaustive()
    }
}
