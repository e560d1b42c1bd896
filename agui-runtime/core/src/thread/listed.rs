//! An entry in a thread list.

use std::time::SystemTime;

use bytes::Bytes;

/// An entry in a thread list.
///
/// ```
/// use std::time::SystemTime;
///
/// use agui_runtime::thread::ThreadEntry;
///
/// let listed = ThreadEntry::new("trip-7", SystemTime::UNIX_EPOCH, "note".into());
/// assert_eq!(listed.thread, "trip-7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadEntry {
    /// The thread id.
    pub thread: String,
    /// The time of the last append, to the millisecond.
    pub changed: SystemTime,
    /// The thread's note.
    pub note: Bytes,
}

impl ThreadEntry {
    /// Creates an entry, for engines that implement [`ThreadLog::list`](crate::thread::ThreadLog::list).
    #[must_use]
    pub fn new(thread: impl Into<String>, changed: SystemTime, note: Bytes) -> Self {
        Self { thread: thread.into(), changed, note }
    }
}
