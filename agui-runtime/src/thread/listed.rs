//! A thread in a list of threads.

use std::time::SystemTime;

use bytes::Bytes;

/// A thread in a list.
///
/// ```
/// use std::time::SystemTime;
///
/// use agui_runtime::thread::Listed;
///
/// let listed = Listed::new("trip-7", SystemTime::UNIX_EPOCH, "note".into());
/// assert_eq!(listed.thread, "trip-7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The id of the thread.
    pub thread: String,
    /// The time of its last append, to the millisecond.
    pub changed: SystemTime,
    /// Its note.
    pub note: Bytes,
}

impl Listed {
    /// Creates the entry of a thread, for engines.
    ///
    /// ```
    /// use agui_runtime::thread::Listed;
    ///
    /// let listed = Listed::new("t", std::time::SystemTime::now(), "".into());
    /// ```
    #[must_use]
    pub fn new(thread: impl Into<String>, changed: SystemTime, note: Bytes) -> Self {
        Self { thread: thread.into(), changed, note }
    }
}
