//! The policies of a server for the threads that it keeps.

use std::collections::BTreeMap;
use std::time::Duration;

use super::conversation::trim::Keep;

/// The policy for a run on a thread whose last run goes on.
///
/// ```
/// use agui_runtime::http::{BusyThread, ThreadOptions};
///
/// let options = ThreadOptions::default().busy(BusyThread::Queue);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BusyThread {
    /// It starts when the other has ended, which is stopped, with outcome `cancelled`, once no client reads it: its user
    /// pressed Stop, or left. Until then the client waits for the answer. Clients at other servers of the store count too, if they
    /// have read up to the question, for which each server has half a second.
    #[default]
    ReplaceUnread,
    /// It is refused, with status 409 and code `thread_busy`.
    Reject,
    /// It starts when the other has ended. Until then its client waits for the answer.
    Queue,
    /// The other run is stopped, with outcome `cancelled`, and then it starts.
    CancelFirst,
}

/// The policy for a run that no client on this server reads any more.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::http::{ClientLeaves, ThreadOptions};
///
/// let options = ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(Duration::from_secs(60)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientLeaves {
    /// It goes on to its end: the client finds it in the thread.
    #[default]
    Continue,
    /// It is stopped, with outcome `cancelled`, unless a client comes back in this time.
    CancelAfter(Duration),
}

/// The policies of a server for the threads that it keeps; see [`Server::threads`](crate::Server::threads).
///
/// | policy | default |
/// |---|---|
/// | [`busy`](Self::busy) | a second run on a thread waits, and replaces the first once no client reads it |
/// | [`client_leaves`](Self::client_leaves) | a run goes on without its client |
/// | [`lease`](Self::lease) | the run of a server that is lost ends after 15 s, or [goes on](macro@crate::agent#restart) on another; on SQLite after a restart at once |
/// | [`keep_records`](Self::keep_records), [`keep_bytes`](Self::keep_bytes) | 10,000 records of a thread, or 16 MiB, are kept for clients that come back, before they are folded into one |
/// | [`delete_after`](Self::delete_after) | threads are kept for ever |
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::http::{BusyThread, ThreadOptions};
///
/// let options = ThreadOptions::default().busy(BusyThread::CancelFirst).delete_after(Duration::from_secs(90 * 86_400));
/// ```
#[derive(Clone, Debug)]
#[must_use = "give it to `Server::thread_options`"]
pub struct ThreadOptions {
    busy: ForAgents<BusyThread>,
    client_leaves: ForAgents<ClientLeaves>,
    pub(super) lease: Duration,
    pub(super) keep: Keep,
    pub(super) delete_after: Option<Duration>,
}

/// A policy, and those of agents that have another.
#[derive(Clone, Debug, Default)]
struct ForAgents<T> {
    all: T,
    by_path: BTreeMap<String, T>,
}

impl<T: Copy> ForAgents<T> {
    fn of(&self, path: &str) -> T {
        self.by_path.get(path).copied().unwrap_or(self.all)
    }
}

impl Default for ThreadOptions {
    /// The policies of the table above.
    fn default() -> Self {
        Self {
            busy: ForAgents::default(),
            client_leaves: ForAgents::default(),
            lease: Duration::from_secs(15),
            keep: Keep { records: 10_000, bytes: 16 * 1024 * 1024 },
            delete_after: None,
        }
    }
}

impl ThreadOptions {
    /// Sets what happens to a run on a thread whose last run goes on.
    ///
    /// ```
    /// use agui_runtime::http::{BusyThread, ThreadOptions};
    ///
    /// let options = ThreadOptions::default().busy(BusyThread::Queue);
    /// ```
    pub fn busy(mut self, busy: BusyThread) -> Self {
        self.busy.all = busy;
        self
    }

    /// Sets [`busy`](Self::busy) for the threads of one agent, by its path.
    ///
    /// ```
    /// use agui_runtime::http::{BusyThread, ThreadOptions};
    ///
    /// let options = ThreadOptions::default().busy_of("/desk", BusyThread::CancelFirst);
    /// ```
    pub fn busy_of(mut self, path: impl Into<String>, busy: BusyThread) -> Self {
        self.busy.by_path.insert(path.into(), busy);
        self
    }

    /// Sets what happens to a run when no client on this server reads it any more.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::http::{ClientLeaves, ThreadOptions};
    ///
    /// let options = ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(Duration::from_secs(5)));
    /// ```
    pub fn client_leaves(mut self, leaves: ClientLeaves) -> Self {
        self.client_leaves.all = leaves;
        self
    }

    /// Sets [`client_leaves`](Self::client_leaves) for the runs of one agent, by its path.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::http::{ClientLeaves, ThreadOptions};
    ///
    /// // A search that no one waits for is not worth its tokens; a report is.
    /// let options = ThreadOptions::default()
    ///     .client_leaves_of("/search", ClientLeaves::CancelAfter(Duration::ZERO))
    ///     .client_leaves_of("/report", ClientLeaves::Continue);
    /// ```
    pub fn client_leaves_of(mut self, path: impl Into<String>, leaves: ClientLeaves) -> Self {
        self.client_leaves.by_path.insert(path.into(), leaves);
        self
    }

    /// Sets the time after which the run of a server that is lost, or cannot reach the store, may be ended by another
    /// one, with RUN_ERROR and code `node_lost`; 15 s by default, at least 1 s. The same time is the limit for a store
    /// that is away while a run goes on. A lease says only when a run may be ended: two servers never write one run.
    ///
    /// On SQLite a server that starts alone, after a crash for instance, waits for no lease: the runs of those before it are lost.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let options = agui_runtime::http::ThreadOptions::default().lease(Duration::from_secs(5));
    /// ```
    pub fn lease(mut self, time: Duration) -> Self {
        self.lease = time.max(Duration::from_secs(1));
        self
    }

    /// Sets the number of records of one thread, events for the most part, that are kept after their run has ended;
    /// 10,000 by default. When there are twice as many, the older ones become one record with the conversation and the
    /// state. A client whose cursor is before that connects again without a cursor.
    ///
    /// ```
    /// let options = agui_runtime::http::ThreadOptions::default().keep_records(1_000);
    /// ```
    pub fn keep_records(mut self, records: u64) -> Self {
        self.keep.records = records;
        self
    }

    /// Sets the bytes of the records of one thread that are kept after their run has ended; 16 MiB by default. When there are
    /// twice as many, the older records become one, as with [`keep_records`](Self::keep_records). The last run is kept,
    /// however large it is.
    ///
    /// ```
    /// let options = agui_runtime::http::ThreadOptions::default().keep_bytes(1024 * 1024);
    /// ```
    pub fn keep_bytes(mut self, bytes: u64) -> Self {
        self.keep.bytes = bytes;
        self
    }

    pub(super) fn busy_at(&self, path: &str) -> BusyThread {
        self.busy.of(path)
    }

    pub(super) fn client_leaves_at(&self, path: &str) -> ClientLeaves {
        self.client_leaves.of(path)
    }

    /// Returns a path that has policies and is not known.
    pub(in crate::server) fn stray_path(&self, is_known: impl Fn(&str) -> bool) -> Option<&str> {
        let paths = self.busy.by_path.keys().chain(self.client_leaves.by_path.keys());
        paths.map(String::as_str).find(|path| !is_known(path))
    }

    /// Deletes threads whose last event is older than this; by default none is deleted.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let options = agui_runtime::http::ThreadOptions::default().delete_after(Duration::from_secs(30 * 86_400));
    /// ```
    pub fn delete_after(mut self, time: Duration) -> Self {
        self.delete_after = Some(time);
        self
    }
}
