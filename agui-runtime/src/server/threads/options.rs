//! The policies of a server for the threads that it keeps.

use std::time::Duration;

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
    /// It is refused, with status 409 and code `thread_busy`.
    #[default]
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
/// | [`busy`](Self::busy) | a second run on a thread is refused |
/// | [`client_leaves`](Self::client_leaves) | a run goes on without its client |
/// | [`lease`](Self::lease) | the run of a server that is lost ends after 15 s |
/// | [`keep_records`](Self::keep_records) | 10,000 records of a thread are kept for clients that come back, before they are folded into one |
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
    pub(super) busy: BusyThread,
    pub(super) client_leaves: ClientLeaves,
    pub(super) lease: Duration,
    pub(super) keep_records: u64,
    pub(super) delete_after: Option<Duration>,
}

impl Default for ThreadOptions {
    /// The policies of the table above.
    fn default() -> Self {
        Self {
            busy: BusyThread::default(),
            client_leaves: ClientLeaves::default(),
            lease: Duration::from_secs(15),
            keep_records: 10_000,
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
        self.busy = busy;
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
        self.client_leaves = leaves;
        self
    }

    /// Sets the time after which the run of a server that is lost, or cannot reach the store, may be ended by another
    /// one, with RUN_ERROR and code `node_lost`; 15 s by default, at least 1 s. The same time is the limit for a store
    /// that is away while a run goes on. A lease says only when a run may be ended: two servers never write one run.
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
        self.keep_records = records;
        self
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
