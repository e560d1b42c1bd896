//! A part of a log that was read.

use bytes::Bytes;

use super::append::Position;
use super::log_error::LogError;

/// Records that were read.
///
/// ```
/// use agui_runtime::thread::{Page, Position};
///
/// let page = Page::new(vec![(1, "first".into())], Position { epoch: 1, seq: 7 });
/// assert!(page.last() < page.at.seq, "there is more to read");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The records with their consecutive sequence numbers.
    pub records: Vec<(u64, Bytes)>,
    /// The end of the log.
    pub at: Position,
}

impl Page {
    /// Creates a page, for engines.
    ///
    /// ```
    /// use agui_runtime::thread::{Page, Position};
    ///
    /// assert_eq!(Page::new(vec![], Position::default()).last(), 0);
    /// ```
    #[must_use]
    pub fn new(records: Vec<(u64, Bytes)>, at: Position) -> Self {
        Self { records, at }
    }

    /// Returns the sequence number of the last record of the page; 0 if it has none.
    ///
    /// ```
    /// use agui_runtime::thread::{Page, Position};
    ///
    /// assert_eq!(Page::new(vec![(7, "x".into())], Position { epoch: 1, seq: 9 }).last(), 7);
    /// ```
    #[must_use]
    pub fn last(&self) -> u64 {
        self.records.last().map_or(0, |(seq, _)| *seq)
    }
}

/// A read that returns nothing.
///
/// ```
/// use agui_runtime::thread::ReadError;
///
/// assert_eq!(ReadError::Trimmed { first: 9 }.to_string(), "the records before 9 were trimmed");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The records after the given one were trimmed in part: a snapshot stands for them.
    #[error("the records before {first} were trimmed")]
    Trimmed {
        /// The first record that can be read, which is the snapshot.
        first: u64,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
