//! The append to a log: its records, its condition, its failures.

use std::time::Duration;

use bytes::Bytes;

use super::log_error::LogError;

/// The most bytes of one record.
///
/// ```
/// assert_eq!(agui_runtime::thread::LARGEST_RECORD, 32 << 20);
/// ```
pub const LARGEST_RECORD: usize = 32 * 1024 * 1024;

/// The end of a log: the last record, and the epoch that wrote it.
///
/// ```
/// use agui_runtime::thread::Position;
///
/// assert_eq!(Position::default(), Position { epoch: 0, seq: 0 }); // a thread that does not exist
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of the claim that may append. Each claim has a higher one, also after the thread was deleted.
    pub epoch: u64,
    /// The sequence number of the last record. The first record of a thread has 1.
    pub seq: u64,
}

/// Records to append, and the condition.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::thread::{Append, Position};
///
/// let append = Append {
///     at: Position::default(),
///     epoch: 1,
///     records: vec!["first".into(), "second".into()],
///     note: Some("what a list of threads shows".into()),
///     lease: Some(Duration::from_secs(15)),
/// };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The end of the log at which the records belong.
    pub at: Position,
    /// The epoch of the log afterwards: that of `at`, or a higher one for a claim.
    pub epoch: u64,
    /// The records, in order. They get the sequence numbers after `at.seq`.
    pub records: Vec<Bytes>,
    /// Replaces the note of the thread; `None` keeps it.
    pub note: Option<Bytes>,
    /// The time for which the thread has an owner, from now on; `None` leaves it without one.
    pub lease: Option<Duration>,
}

impl Append {
    /// Refuses a record that is too large, and records that are together larger than an engine takes.
    pub(super) fn check_size(&self, together: usize) -> Result<(), AppendError> {
        let sizes = self.records.iter().map(Bytes::len);
        if let Some(bytes) = sizes.clone().find(|bytes| *bytes > LARGEST_RECORD) {
            return Err(AppendError::TooLarge { bytes, most: LARGEST_RECORD });
        }
        let bytes = sizes.sum();
        if bytes > together {
            return Err(AppendError::TooLarge { bytes, most: together });
        }
        Ok(())
    }
}

/// An append that did not happen, or may not have.
///
/// ```
/// use agui_runtime::thread::{AppendError, Position};
///
/// let conflict = AppendError::Conflict { at: Position { epoch: 3, seq: 41 } };
/// assert_eq!(conflict.to_string(), "the log ends at record 41 of epoch 3");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The log ends elsewhere. Nothing was appended.
    #[error("the log ends at record {} of epoch {}", at.seq, at.epoch)]
    Conflict {
        /// The end of the log.
        at: Position,
    },
    /// A record is larger than [`LARGEST_RECORD`], or the records are together larger than the engine takes. Nothing was
    /// appended.
    #[error("a record of {bytes} bytes is larger than {most}")]
    TooLarge {
        /// The size of the record, or of all.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The acknowledgement was lost: the records may be in the log, all or none. Read the log to know.
    #[error("it is unknown whether the records were appended: {0}")]
    Unknown(#[source] LogError),
    /// The log cannot be written. Nothing was appended.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
