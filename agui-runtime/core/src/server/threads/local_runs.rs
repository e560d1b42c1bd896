//! The runs on this server, each with the number of clients that read the run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::emit::SteeringInbox;
use crate::protocol::{RunId, UserMessage};
use crate::thread::ThreadKey;

/// A server's open runs.
#[derive(Default)]
pub(in crate::server) struct LocalRuns {
    runs: Mutex<RunsById>,
    open: watch::Sender<usize>,
}

type RunsById = HashMap<(ThreadKey, RunId), OpenRun>;

/// The parts of an open run that other tasks reach.
struct OpenRun {
    /// The number of readers.
    readers: watch::Sender<usize>,
    inbox: Arc<SteeringInbox>,
}

/// An open run on this server.
pub(super) struct LocalRun {
    runs: Arc<LocalRuns>,
    run: (ThreadKey, RunId),
    count: watch::Sender<usize>,
}

/// A client that reads a run; counted if the run is on this server.
#[derive(Default)]
pub(super) struct RunReaderCount {
    count: Option<watch::Sender<usize>>,
}

impl LocalRuns {
    /// Adds a run, which is open until the first result is dropped. The second result counts the readers.
    pub(super) fn begin(
        self: &Arc<Self>,
        key: ThreadKey,
        run: RunId,
        inbox: Arc<SteeringInbox>,
    ) -> (LocalRun, watch::Receiver<usize>) {
        self.open.send_modify(|open| *open += 1);
        let run = (key, run);
        let count = watch::Sender::new(0);
        let readers = count.subscribe();
        self.lock().insert(run.clone(), OpenRun { readers: count.clone(), inbox });
        (LocalRun { runs: Arc::clone(self), run, count }, readers)
    }

    /// True if the run is on this server, which may be too busy to renew the lease in time.
    pub(super) fn has_run(&self, key: &ThreadKey, run: &RunId) -> bool {
        self.lock().contains_key(&(key.clone(), run.clone()))
    }

    /// True if a run of the thread is on this server.
    pub(super) fn has_thread(&self, key: &ThreadKey) -> bool {
        self.lock().keys().any(|(thread, _)| thread == key)
    }

    /// Counts a reader for a run on this server.
    pub(super) fn count_reader(&self, key: &ThreadKey, run: &RunId) -> RunReaderCount {
        let count = self.lock().get(&(key.clone(), run.clone())).map(|open| open.readers.clone());
        if let Some(count) = &count {
            count.send_modify(|readers| *readers += 1);
        }
        RunReaderCount { count }
    }

    /// Hands stored messages to a run on this server at once. A run on another server finds them in the store.
    pub(super) fn steer(&self, key: &ThreadKey, run: &RunId, messages: Vec<UserMessage>) {
        let inbox = self.lock().get(&(key.clone(), run.clone())).map(|open| Arc::clone(&open.inbox));
        if let Some(inbox) = inbox {
            messages.into_iter().for_each(|message| inbox.push(message));
        }
    }

    /// Resolves when no run is open.
    pub(in crate::server) async fn idle(&self) {
        // The sender is not dropped before `self`.
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, RunsById> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LocalRun {
    fn drop(&mut self) {
        let mut runs = self.runs.lock();
        // Another run of this id may have begun, if the thread was deleted.
        if runs.get(&self.run).is_some_and(|open| open.readers.same_channel(&self.count)) {
            runs.remove(&self.run);
        }
        drop(runs);
        self.runs.open.send_modify(|open| *open -= 1);
    }
}

impl RunReaderCount {
    /// True while the run goes on here: the server may have lost the run, and taken the run over again.
    pub(super) fn is_counted(&self) -> bool {
        self.count.as_ref().is_some_and(|count| !count.is_closed())
    }
}

impl Drop for RunReaderCount {
    fn drop(&mut self) {
        if let Some(count) = &self.count {
            count.send_modify(|readers| *readers -= 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_counts_while_its_run_goes_on_here() {
        let runs = Arc::<LocalRuns>::default();
        let (key, run) = (ThreadKey::new("", "/", "t"), RunId::from("r"));
        assert!(!runs.count_reader(&key, &run).is_counted(), "it is a run of another server");
        let (open, readers) = runs.begin(key.clone(), run.clone(), Arc::default());
        let reader = runs.count_reader(&key, &run);
        assert!(reader.is_counted() && *readers.borrow() == 1);
        drop(readers);
        assert!(!reader.is_counted(), "the run has ended");
        drop(open);
        // The same run begins here again.
        let (_open, readers) = runs.begin(key.clone(), run.clone(), Arc::default());
        assert!(!reader.is_counted() && *readers.borrow() == 0, "it reads the run that ended");
        assert!(runs.count_reader(&key, &run).is_counted());
    }
}
