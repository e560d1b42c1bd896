//! The reader threads: a disk wait must not block an executor.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use agui_runtime_core::thread::{LogError, OpenError};
use futures_channel::oneshot;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rusqlite::Connection;

use super::failure::log_error;

const READERS: usize = 2;

type SqliteReadJob = Box<dyn FnOnce(&mut Connection) + Send>;

/// Reader threads with a connection each, which end after the last read.
pub(super) struct SqliteReaders {
    jobs: Mutex<Option<mpsc::Sender<SqliteReadJob>>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl SqliteReaders {
    pub(super) fn start(connect: impl Fn() -> Result<Connection, OpenError>) -> Result<Self, OpenError> {
        let (sender, jobs) = mpsc::channel::<SqliteReadJob>();
        let jobs = Arc::new(Mutex::new(jobs));
        let mut readers = Self { jobs: Mutex::new(Some(sender)), threads: Vec::new() };
        for _ in 0..READERS {
            let (db, jobs) = (connect()?, Arc::clone(&jobs));
            let thread = thread::Builder::new().name("agui threads read".to_owned());
            readers.threads.push(thread.spawn(move || serve(db, &jobs)).map_err(LogError::new)?);
        }
        Ok(readers)
    }

    /// Runs a read on a reader thread.
    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, LogError>> {
        let (reply, answer) = oneshot::channel();
        let job: SqliteReadJob = Box::new(move |db| {
            // The caller may have gone.
            let _ = reply.send(work(db));
        });
        if let Some(jobs) = &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            // If all threads have panicked the answer says so.
            let _ = jobs.send(job);
        }
        async move {
            let read = answer.await.map_err(|_| LogError::new("the threads that read have panicked"))?;
            read.map_err(|error| log_error(&error))
        }
        .boxed()
    }
}

fn serve(mut db: Connection, jobs: &Mutex<mpsc::Receiver<SqliteReadJob>>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(&mut db),
            Err(mpsc::RecvError) => return,
        }
    }
}

impl Drop for SqliteReaders {
    fn drop(&mut self) {
        *self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        for thread in self.threads.drain(..) {
            // A panic was seen by the caller of the read.
            let _ = thread.join();
        }
    }
}
