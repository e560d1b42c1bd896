//! The head of a log: the facts of a thread besides its records.

use std::time::Duration;

use bytes::Bytes;

use super::append::Position;
#[cfg(doc)]
use super::log::ThreadLog;

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
