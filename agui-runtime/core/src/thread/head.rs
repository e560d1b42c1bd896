//! A log's head: thread facts besides the records.

use std::time::Duration;

use bytes::Bytes;

use super::append::LogPosition;
#[cfg(doc)]
use super::log::ThreadLog;

/// The thread facts that a log holds besides the records.
///
/// ```
/// use agui_runtime::thread::LogHead;
///
/// let nothing = LogHead::default();
/// assert_eq!((nothing.at.seq, nothing.first, nothing.lease), (0, 1, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogHead {
    /// The log's end.
    pub at: LogPosition,
    /// The first readable record's sequence number: 1, or the snapshot's after a [`trim`](ThreadLog::trim).
    pub first: u64,
    /// The note from the last append that had one.
    pub note: Bytes,
    /// The remaining lease time, zero once the lease is over; `None` if the thread has no owner.
    pub lease: Option<Duration>,
}

impl LogHead {
    /// Creates a head, for engines: the answer of [`ThreadLog::head`].
    #[must_use]
    pub fn new(at: LogPosition, first: u64, note: Bytes, lease: Option<Duration>) -> Self {
        Self { at, first, note, lease }
    }
}

impl Default for LogHead {
    fn default() -> Self {
        Self { at: LogPosition::default(), first: 1, note: Bytes::new(), lease: None }
    }
}
