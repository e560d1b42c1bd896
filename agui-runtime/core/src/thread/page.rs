//! A page of log records.

use bytes::Bytes;

use super::append::LogPosition;
use super::log_error::LogError;

/// Records from one read.
///
/// ```
/// use agui_runtime::thread::{LogPage, LogPosition};
///
/// let page = LogPage::new(vec![(1, "first".into())], LogPosition { epoch: 1, seq: 7 });
/// assert!(page.last() < page.at.seq, "there is more to read");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogPage {
    /// The records with consecutive sequence numbers.
    pub records: Vec<(u64, Bytes)>,
    /// The log's end.
    pub at: LogPosition,
}

impl LogPage {
    /// Creates a [`LogPage`], for engines.
    #[must_use]
    pub fn new(records: Vec<(u64, Bytes)>, at: LogPosition) -> Self {
        Self { records, at }
    }

    /// Returns the last record's sequence number; 0 if the page is empty.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.records.last().map_or(0, |(seq, _)| *seq)
    }
}

/// A read that returned no page; see [`ThreadLog::read`](crate::thread::ThreadLog::read).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogReadError {
    /// Some records after the given one were trimmed: a snapshot stands for them.
    #[error("the records before {first} were trimmed")]
    Trimmed {
        /// The first readable record: the snapshot.
        first: u64,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
