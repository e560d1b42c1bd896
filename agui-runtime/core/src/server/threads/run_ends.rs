//! The listener for run ends, and the stored entries with which a listener survives a lost server.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::protocol::RunId;
use crate::thread::{LogError, ThreadKey, ThreadLog};

/// The prefix for entry names.
const ENTRY: &str = "webhook ";

/// A run that is about to claim a thread.
#[cfg_attr(not(feature = "webhooks"), expect(dead_code, reason = "only webhooks read the fields"))]
#[derive(Clone, Copy)]
pub(in crate::server) struct ClaimingRun<'r> {
    pub(in crate::server) thread: &'r ThreadKey,
    pub(in crate::server) id: &'r RunId,
    /// The thread's end before the run.
    pub(in crate::server) place: u64,
}

/// The epoch and the lease with which an entry is written.
#[cfg_attr(not(feature = "webhooks"), expect(dead_code, reason = "only webhooks read the fields"))]
#[derive(Clone, Copy)]
pub(in crate::server) struct EntryLease {
    pub(in crate::server) epoch: u64,
    pub(in crate::server) time: Duration,
}

/// Follows stored runs from before their claim to after their end.
pub(in crate::server) trait RunEndListener: Send + Sync {
    /// Stores an entry for a run's end, before the run claims the thread. `None` if the listener needs no entry.
    fn expect<'a>(
        &'a self,
        log: &'a dyn ThreadLog,
        run: ClaimingRun<'a>,
        target: Option<String>,
        lease: EntryLease,
    ) -> BoxFuture<'a, Result<Option<Box<dyn ExpectedRunEnd>>, LogError>>;

    /// Handles an entry's run end in a separate task, if the run has ended.
    fn end(
        self: Arc<Self>,
        log: &Arc<dyn ThreadLog>,
        entry: ThreadKey,
        lease: EntryLease,
        is_ended_here: bool,
    );
}

/// A stored entry for a run that is claiming its thread.
pub(in crate::server) trait ExpectedRunEnd: Send {
    /// Returns the entry's thread.
    fn entry(&self) -> ThreadKey;

    /// Renews the entry, now that the run has begun.
    fn hold<'a>(
        self: Box<Self>,
        log: &'a dyn ThreadLog,
        lease: EntryLease,
    ) -> BoxFuture<'a, Result<(), LogError>>;
}

/// The listener of a server without webhooks: it leaves stored entries to other servers.
pub(in crate::server) struct IgnoredRunEnds;

impl RunEndListener for IgnoredRunEnds {
    fn expect<'a>(
        &'a self,
        _: &'a dyn ThreadLog,
        _: ClaimingRun<'a>,
        _: Option<String>,
        _: EntryLease,
    ) -> BoxFuture<'a, Result<Option<Box<dyn ExpectedRunEnd>>, LogError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn end(self: Arc<Self>, _: &Arc<dyn ThreadLog>, _: ThreadKey, _: EntryLease, _: bool) {}
}

/// Returns the thread that stores an entry. No agent has an empty path.
#[cfg(feature = "webhooks")]
pub(in crate::server) fn entry_key(id: &str) -> ThreadKey {
    ThreadKey::new("", "", format!("{ENTRY}{id}"))
}

/// True if a thread is an entry, from this server or from another.
pub(in crate::server) fn is_entry(key: &ThreadKey) -> bool {
    key.owner().is_empty() && key.agent().is_empty() && key.thread().starts_with(ENTRY)
}
