//! The writer thread: waiting writes are committed together.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use agui_runtime_core::__leaf::ThreadWakes;
use agui_runtime_core::thread::{LogError, OpenError, ThreadKey};
use futures_channel::oneshot;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rusqlite::Connection;

use super::failure::SqliteFailure;
use super::opened_file::OpenedFile;
use super::statements::ChangedThread;

/// The maximum number of writes in a transaction: the first must not wait for all that come.
const MOST: usize = 512;

/// The interval at which the writer looks for other processes' writes, while a reader waits.
const LOOK: Duration = Duration::from_millis(50);

/// A thread with the writer connection, which ends after the last write.
pub(super) struct SqliteWriter {
    jobs: Mutex<Option<mpsc::Sender<SqliteWriteJob>>>,
    thread: Option<thread::JoinHandle<()>>,
}

enum SqliteWriteJob {
    Write(Box<dyn SqliteWrite>),
    /// A reader waits: the thread starts to look for other processes' writes.
    Watch,
}

/// A write, and the future that waits for the write.
trait SqliteWrite: Send {
    fn run(&mut self, db: &Connection) -> rusqlite::Result<()>;
    fn settle(self: Box<Self>, outcome: Result<(), SqliteFailure>, wakes: &ThreadWakes);
}

struct PendingWrite<T, F> {
    key: ThreadKey,
    work: F,
    result: Option<ChangedThread<T>>,
    reply: oneshot::Sender<Result<T, SqliteFailure>>,
}

impl<T, F> SqliteWrite for PendingWrite<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> rusqlite::Result<ChangedThread<T>> + Send,
{
    fn run(&mut self, db: &Connection) -> rusqlite::Result<()> {
        self.result = Some((self.work)(db)?);
        Ok(())
    }

    fn settle(self: Box<Self>, outcome: Result<(), SqliteFailure>, wakes: &ThreadWakes) {
        let Self { key, result, reply, .. } = *self;
        let outcome = match (outcome, result) {
            (Ok(()), Some(changed)) => {
                if changed.wakes {
                    wakes.wake(&key);
                }
                Ok(changed.value)
            }
            (Err(failure), _) => Err(failure),
            (Ok(()), None) => Err(SqliteFailure::of_writer()),
        };
        // The caller may have gone.
        let _ = reply.send(outcome);
    }
}

impl SqliteWriter {
    pub(super) fn start(
        db: Connection,
        file: OpenedFile,
        wakes: Arc<ThreadWakes>,
    ) -> Result<Self, OpenError> {
        let (sender, jobs) = mpsc::channel();
        let thread = thread::Builder::new().name("agui threads write".to_owned());
        let thread = thread.spawn(move || serve(&db, &file, &jobs, &wakes)).map_err(LogError::new)?;
        Ok(Self { jobs: Mutex::new(Some(sender)), thread: Some(thread) })
    }

    /// Runs a write in a transaction that other writes may share. The write happens even if the future is dropped.
    pub(super) fn write<T: Send + 'static>(
        &self,
        key: &ThreadKey,
        work: impl FnMut(&Connection) -> rusqlite::Result<ChangedThread<T>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, SqliteFailure>> {
        let (reply, answer) = oneshot::channel();
        self.send(SqliteWriteJob::Write(Box::new(PendingWrite {
            key: key.clone(),
            work,
            result: None,
            reply,
        })));
        answer.map(|settled| settled.unwrap_or_else(|_| Err(SqliteFailure::of_writer()))).boxed()
    }

    /// Makes the thread look for other processes' writes, as long as a reader waits.
    pub(super) fn watch(&self) {
        self.send(SqliteWriteJob::Watch);
    }

    fn send(&self, job: SqliteWriteJob) {
        if let Some(jobs) = &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            // If the thread has panicked, the reply is dropped with the job.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for SqliteWriter {
    fn drop(&mut self) {
        *self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(thread) = self.thread.take() {
            // A panic was seen by the callers of the writes.
            let _ = thread.join();
        }
    }
}

fn serve(db: &Connection, file: &OpenedFile, jobs: &mpsc::Receiver<SqliteWriteJob>, wakes: &ThreadWakes) {
    let mut others = OtherProcesses { looked: Instant::now(), version: None };
    loop {
        let first = if wakes.is_waiting() {
            others.look(db, wakes);
            jobs.recv_timeout(LOOK)
        } else {
            jobs.recv().map_err(|mpsc::RecvError| mpsc::RecvTimeoutError::Disconnected)
        };
        match first {
            Ok(first) => commit(db, file, std::iter::once(first).chain(jobs.try_iter()), wakes),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn commit(
    db: &Connection,
    file: &OpenedFile,
    jobs: impl Iterator<Item = SqliteWriteJob>,
    wakes: &ThreadWakes,
) {
    let mut writes: Vec<_> = jobs
        .filter_map(|job| match job {
            SqliteWriteJob::Write(write) => Some(write),
            SqliteWriteJob::Watch => None,
        })
        .take(MOST)
        .collect();
    if writes.is_empty() {
        return;
    }
    let outcome = transact(db, file, &mut writes);
    if outcome.is_err() && !db.is_autocommit() {
        // If this fails too, the next transaction does not begin, and says so.
        let _ = db.execute_batch("ROLLBACK");
    }
    for write in writes {
        write.settle(outcome.clone(), wakes);
    }
}

fn transact(
    db: &Connection,
    file: &OpenedFile,
    writes: &mut [Box<dyn SqliteWrite>],
) -> Result<(), SqliteFailure> {
    if !file.is_in_place() {
        return Err(SqliteFailure::removed());
    }
    db.execute_batch("BEGIN IMMEDIATE")
        .and_then(|()| writes.iter_mut().try_for_each(|write| write.run(db)))
        .map_err(|error| SqliteFailure::before_commit(&error))?;
    db.execute_batch("COMMIT").map_err(|error| SqliteFailure::of_commit(&error))
}

/// Tracks other processes' writes.
struct OtherProcesses {
    looked: Instant,
    version: Option<i64>,
}

impl OtherProcesses {
    /// Wakes all readers if another process has written since the last look.
    fn look(&mut self, db: &Connection, wakes: &ThreadWakes) {
        if self.version.is_some() && self.looked.elapsed() < LOOK {
            return;
        }
        self.looked = Instant::now();
        // It changes with each commit of another connection. If it cannot be read, readers look for themselves.
        let version = db.pragma_query_value(None, "data_version", |row| row.get(0)).ok();
        if version.is_none() || version != self.version {
            wakes.wake_all();
        }
        self.version = version;
    }
}
